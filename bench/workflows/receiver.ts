import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Receiver {
  readonly origin: string
  /** What a run may be reported with. */
  tokenOf(runId: string): string
  stop(): void
}

/** The other side of a workflow: takes all work, and reports nothing by itself. */
export async function startReceiver(): Promise<Receiver> {
  const tokens = new Map<string, string>()
  const server = createServer(({ headers }, response) => {
    tokens.set(String(headers['segno-invocation']), String(headers['segno-callback-token']))
    response.writeHead(202).end()
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    tokenOf(runId) {
      const token = tokens.get(runId)
      if (token === undefined) throw new Error('that run was not handed over')
      return token
    },
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}
