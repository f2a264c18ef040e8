import { createServer, type RequestListener, type Server } from 'node:http'
import { onTestFinished } from 'vitest'

export interface Listening {
  readonly url: string
  readonly origin: string
  readonly server: Server
}

/** Serves on a free port of the loopback until the test ends. */
export async function listening(listener: RequestListener): Promise<Listening> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const { port } = server.address() as { port: number }
  const origin = `http://127.0.0.1:${port}`
  return { url: `${origin}/mcp`, origin, server }
}
