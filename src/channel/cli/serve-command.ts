import type { Segno } from '../../segno.ts'

export interface Server {
  readonly url: string
  stop(): Promise<void>
}

/** Runs until it is told to stop; then takes nothing new and gives running rounds their time. */
export async function serveCommand(
  segno: Segno,
  server: Server,
  store: string,
  say: (line: string) => void,
): Promise<void> {
  say(`Segno is at ${server.url} · store ${store} · model ${segno.model}${hint(segno.model)}`)
  await new Promise<void>((resolve) => {
    process.once('SIGTERM', () => resolve())
    process.once('SIGINT', () => resolve())
  })
  say('Segno is stopping: running answers are finished first. Ctrl-C again leaves at once; nothing is lost.')
  process.once('SIGINT', () => process.exit(130))
  await segno.close()
  await server.stop()
}

const hint = (model: string): string => (model === 'scripted' ? ' (a script, not an AI)' : '')
