import { LOCAL_OWNER } from '../../contract/actor.ts'
import type { Segno } from '../../segno.ts'
import type { Heartbeat } from './heartbeat.ts'
import { noteServer } from './server-note.ts'

export interface Server {
  readonly url: string
  stop(): Promise<void>
}

export interface ServeCommand {
  readonly segno: Segno
  readonly server: Server
  readonly home: string
  readonly store: string
  readonly requireKey: boolean
  /** how long running rounds get when it stops */
  readonly drainMs: number
  readonly heartbeat: Heartbeat
  say(line: string): void
}

/** A process that was told to stop is gone by then, beside DRAIN_MS. */
const END_MS = 4900
/** How long what has nothing to do with Segno's state may hold up the end. */
const REST_MS = 200
const INTERRUPTED = 130

/** Runs until it is told to stop; then takes nothing new and gives running rounds their time. */
export async function serveCommand(options: ServeCommand): Promise<void> {
  const { segno, server, home, store, requireKey, drainMs, heartbeat, say } = options
  const forget = noteServer(home, server.url)
  const key = requireKey ? await firstKey(segno) : undefined
  say(`Segno is at ${server.url} · store ${store} · model ${segno.model} (${because(segno)})`)
  if (key !== undefined) say(`Everybody needs a key here. This one was made for you and is shown only now: ${key}`)
  await new Promise<void>((resolve) => {
    process.once('SIGTERM', () => resolve())
    process.once('SIGINT', () => resolve())
  })
  say('Segno is stopping: running answers are finished first. Ctrl-C again leaves at once; nothing is lost.')
  process.once('SIGINT', () => leave('SIGINT', INTERRUPTED))
  heartbeat.endWithin(drainMs + END_MS)
  await segno.close()
  await server.stop()
  forget()
  // A process in which nothing is left ends by itself, before this.
  setTimeout(leaveRest, REST_MS).unref()
}

function leaveRest(): void {
  process.stderr.write('segno: Something that was told to stop still runs; it is left behind.\n')
  leave('SIGTERM', 0)
}

/** Where a key is needed and there is none that is still good, nobody could come in. */
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

/**
 * Ends the process now. `process.exit` waits for threads that are in the middle of something, such as a folder that does
 * not answer; a signal that nobody listens to waits for nothing.
 */
function leave(signal: 'SIGTERM' | 'SIGINT', code: number): void {
  process.removeAllListeners(signal)
  process.kill(process.pid, signal)
  // Process 1 of a container gets no signal that it does not listen to.
  process.exit(code)
}
