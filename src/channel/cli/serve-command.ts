import { LOCAL_OWNER } from '../../contract/actor.ts'
import type { Segno } from '../../segno.ts'
import type { EndWithin } from './heartbeat.ts'
import { noteServer } from './server-note.ts'

export interface ServeCommand {
  readonly segno: Segno
  readonly server: { readonly url: string; stop(): Promise<void> }
  readonly home: string
  readonly store: string
  /** whether other processes may open it, too */
  readonly isShared: boolean
  readonly requireKey: boolean
  readonly drainMs: number
  readonly endWithin: EndWithin
  say(line: string): void
}

/** The process ends this long after DRAIN_MS at the latest. */
const END_MS = 4900
/** How long anything else may delay the end. */
const REST_MS = 200
const INTERRUPTED = 130

/** Runs until a signal, then lets running rounds finish. */
export async function serveCommand(options: ServeCommand): Promise<void> {
  const { segno, server, home, store, isShared, requireKey, drainMs, endWithin, say } = options
  const forget = noteServer(home, server.url, isShared ? store : undefined)
  const key = requireKey ? await firstKey(segno) : undefined
  say(`Segno is at ${server.url} · store ${store} · model ${segno.model} (${because(segno)})`)
  if (key !== undefined) say(`Everybody needs a key here. This one was made for you and is shown only now: ${key}`)
  await new Promise<void>((resolve) => {
    process.once('SIGTERM', () => resolve())
    process.once('SIGINT', () => resolve())
  })
  say('Segno is stopping: running answers are finished first. Ctrl-C again leaves at once; nothing is lost.')
  process.once('SIGINT', () => leave('SIGINT', INTERRUPTED))
  endWithin(drainMs + END_MS)
  await segno.close()
  await server.stop()
  forget()
  // Usually the process has ended by itself before.
  setTimeout(() => {
    process.stderr.write('segno: Something that was told to stop still runs; it is left behind.\n')
    leave('SIGTERM', 0)
  }, REST_MS).unref()
}

/** Creates a key if there is no valid one. */
async function firstKey(segno: Segno): Promise<string | undefined> {
  const good = (await segno.keys.list(LOCAL_OWNER)).some(
    ({ revokedAt, expiresAt }) => revokedAt === null && (expiresAt === null || expiresAt > Date.now()),
  )
  if (good) return undefined
  const { id: userId } = LOCAL_OWNER
  return (await segno.keys.add(LOCAL_OWNER, { name: 'first key', userId, role: 'super_admin', operator: true })).secret
}

const because = ({ model, modelChosenBecause: why }: Segno): string =>
  model === 'scripted' ? `a script, not an AI; ${why}` : why

/** Ends the process now, with a signal: `process.exit` would wait for threads that hang in a system call. */
function leave(signal: 'SIGTERM' | 'SIGINT', code: number): void {
  process.removeAllListeners(signal)
  process.kill(process.pid, signal)
  // Process 1 of a container ignores signals without a listener.
  process.exit(code)
}
