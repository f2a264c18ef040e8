import type { Tool } from '../../contract/tool.ts'
import type { Clock } from '../../lib/clock.ts'
import { later } from '../../lib/later.ts'
import type { Connection } from './connection.ts'
import type { JudgedTool } from './judge-tools.ts'
import type { McpLimits } from './limits.ts'
import { makeTool } from './make-tool.ts'
import type { ServerState } from './mcp.ts'
import type { Offer } from './offer.ts'
import { runCall, type CallHost } from './run-call.ts'
import { loadSdk } from './sdk.ts'
import type { McpServer } from './servers.ts'
import { ToolShelf } from './tool-shelf.ts'
import { plainReason, wantsAuthorization } from './trouble.ts'
import { WatchedState } from './watched-state.ts'

/** Lists that change all the time are read once in a while. */
const RELIST_MS = 500
/** How often a server that waits for a login looks whether somebody made it, perhaps on another node. */
const LOGIN_MS = 15_000
const MOST_DOUBLINGS = 2

export interface InstanceOptions {
  readonly name: string
  readonly server: McpServer
  readonly clock: Clock
  readonly limits: McpLimits
  open(signal: AbortSignal, onToolsChanged: () => void): Promise<Connection>
  judge(offers: readonly Offer[]): Promise<readonly JudgedTool[]>
  /** is another text once somebody let Segno in */
  loginMark(): Promise<string>
  onChange(instance: Instance): void
}

/**
 * One server at work for one workspace: started when it is needed, watched, started again when it fails, left alone for
 * a while when it keeps failing, stopped when nobody needs it.
 */
export class Instance {
  readonly name: string
  since: number
  restarts = 0
  /** why it failed last */
  error: string | undefined
  protocolVersion: string | undefined
  lastUsed: number

  readonly #options: InstanceOptions
  readonly #host: CallHost
  readonly #shelf: ToolShelf
  readonly #state = new WatchedState<ServerState>('stopped')
  #connection: Connection | undefined
  #isClosed = false
  #stop: AbortController | undefined
  #loop: Promise<void> = Promise.resolve()
  #wake = new AbortController()
  #failures = 0
  #starts = 0
  #wasReady = false
  #awaySince = 0
  #running = 0
  #isListing = false
  /** the list changed while it was read for the first time */
  #hasNews = false

  constructor(options: InstanceOptions) {
    this.#options = options
    this.name = options.name
    this.since = options.clock.now()
    this.lastUsed = this.since
    this.#host = {
      name: options.name,
      maxQuestions: options.limits.maxQuestions,
      ready: (signal) => this.#ready(signal),
      offered: (tool) => this.#shelf.offered(tool),
      began: () => {
        this.#running += 1
      },
      ended: (isAnswered) => {
        this.#running -= 1
        this.lastUsed = options.clock.now()
        if (isAnswered) this.#failures = 0
      },
      checkSoon: () => this.wake(),
    }
    const { server, limits, judge } = options
    this.#shelf = new ToolShelf(judge, (judged) =>
      makeTool(judged, server, limits.descriptionChars, (...call) => runCall(this.#host, ...call)),
    )
  }

  get state(): ServerState {
    return this.#state.value
  }

  get judged(): readonly JudgedTool[] {
    return this.#shelf.judged
  }

  get isRunning(): boolean {
    return this.#stop !== undefined
  }

  get isBusy(): boolean {
    return this.#running > 0
  }

  /** The tools that can be called now; waits for a server that is on its way, but not twice for the same trouble. */
  async tools(): Promise<readonly Tool[]> {
    await this.#use()
    const { connectMs } = this.#options.limits
    await this.#state.until(() => !this.#isHopeful(), connectMs - (performance.now() - this.#awaySince))
    return this.state === 'ready' ? this.#shelf.tools : []
  }

  /** Compares what the server offers with what is trusted once more. */
  judgeAgain(): Promise<void> {
    return this.#shelf.judge()
  }

  /** Something it waits for may have happened, or it may not be well: it looks at once. */
  wake(): void {
    this.#wake.abort()
  }

  /** Stops it until it is needed again. */
  async stop(): Promise<void> {
    this.#stop?.abort()
    await this.#loop
  }

  /** Stops it for good. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.stop()
  }

  /** Starts it if it is not running; one that is about to stop is let stop first. */
  async #use(): Promise<void> {
    this.lastUsed = this.#options.clock.now()
    if (this.#stop?.signal.aborted) await this.#loop
    if (this.#stop !== undefined || this.#isClosed) return
    const stop = new AbortController()
    this.#stop = stop
    this.#awaySince = performance.now()
    this.#failures = 0
    this.#starts = 0
    this.#wasReady = false
    this.#loop = this.#live(stop.signal)
      .catch(() => this.#fail('it failed'))
      .finally(() => {
        this.#stop = undefined
        this.#become('stopped')
      })
  }

  async #live(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const connection = await this.#start(signal)
      if (connection !== undefined) {
        const reason = await this.#watch(connection, signal)
        this.#connection = undefined
        this.#awaySince = performance.now()
        if (reason === undefined) this.#stop?.abort()
        else this.#fail(reason)
        await connection.close()
      }
      if (signal.aborted || this.#isIdle()) return
      await this.#rest(signal)
    }
  }

  async #start(signal: AbortSignal): Promise<Connection | undefined> {
    this.restarts = this.#starts
    this.#starts += 1
    this.#become('starting')
    this.#hasNews = false
    const attempt = AbortSignal.any([signal, AbortSignal.timeout(this.#options.limits.startMs)])
    let connection: Connection | undefined
    try {
      connection = await this.#options.open(attempt, () => this.#listAgain())
      await this.#shelf.judge(await connection.list(attempt))
      this.protocolVersion = connection.protocolVersion
      this.#connection = connection
      this.#wasReady = true
      this.#become('ready')
      if (this.#hasNews) this.#listAgain()
      return connection
    } catch (error) {
      await connection?.close()
      if (signal.aborted) return undefined
      const sdk = await loadSdk()
      const isLogin = wantsAuthorization(error, sdk)
      const reason = attempt.aborted ? 'it did not start in time' : plainReason(error, sdk)
      if (isLogin) this.error = reason
      if (isLogin) this.#become('needs authorization')
      else this.#fail(reason)
      return undefined
    }
  }

  /** Resolves with the reason when the connection is lost, with nothing when the server is not needed any more. */
  async #watch(connection: Connection, signal: AbortSignal): Promise<string | undefined> {
    const { healthMs, idleMs } = this.#options.limits
    for (;;) {
      const lost = await Promise.race([connection.lost, this.#pause(Math.min(healthMs, idleMs), signal)])
      this.wake()
      if (signal.aborted) return undefined
      if (lost !== undefined) return lost
      if (this.#isIdle()) return undefined
      // A server that is at work may be too busy to answer; its calls have deadlines of their own.
      if (this.isBusy) continue
      try {
        await Promise.race([connection.ping(), connection.lost])
        this.#failures = 0
      } catch {
        if (!this.isBusy) return 'it does not answer'
      }
    }
  }

  async #rest(signal: AbortSignal): Promise<void> {
    if (this.state === 'needs authorization') return this.#awaitLogin(signal)
    const { restartMs, breakerMs, breakerFailures } = this.#options.limits
    const isOpen = breakerFailures > 0 && this.#failures >= breakerFailures
    if (isOpen) this.error = `${this.error}; it failed ${this.#failures} times in a row and is left alone for a while`
    const doublings = Math.min(Math.max(0, this.#failures - 1), MOST_DOUBLINGS)
    return later(isOpen ? breakerMs : restartMs * 2 ** doublings, signal)
  }

  /** To try before somebody logged in would only begin one login after the other. */
  async #awaitLogin(signal: AbortSignal): Promise<void> {
    const mark = (): Promise<string> => this.#options.loginMark().catch(() => '')
    const before = await mark()
    let isOver = false
    while (!isOver && !signal.aborted && !this.#isIdle()) {
      await this.#pause(Math.min(LOGIN_MS, this.#options.limits.idleMs), signal)
      isOver = this.#wake.signal.aborted || (await mark()) !== before
    }
  }

  /** Waits, until somebody says that it is time to look. */
  #pause(ms: number, signal: AbortSignal): Promise<undefined> {
    this.#wake = new AbortController()
    return later(ms, AbortSignal.any([signal, this.#wake.signal])).then(() => undefined)
  }

  #fail(reason: string): void {
    this.#failures += 1
    this.error = reason
    this.#become('failed')
  }

  #become(state: ServerState): void {
    this.since = this.#options.clock.now()
    this.#state.become(state)
    this.#options.onChange(this)
  }

  #isIdle(): boolean {
    return !this.isBusy && this.#options.clock.now() - this.lastUsed >= this.#options.limits.idleMs
  }

  /** Is it worth waiting for? Somebody who waits may hope for the first start, and for a restart after a good time. */
  #isHopeful(): boolean {
    if (this.state === 'starting') return this.#wasReady || this.#starts === 1
    return this.state === 'failed' && this.#wasReady && this.#failures <= 1
  }

  async #ready(signal: AbortSignal): Promise<Connection> {
    await this.#use()
    const hopeless: readonly ServerState[] = ['needs authorization', 'stopped']
    const isOver = (): boolean => this.#connection !== undefined || hopeless.includes(this.state)
    await this.#state.until(isOver, this.#options.limits.connectMs, signal)
    if (this.#connection !== undefined) return this.#connection
    const why = this.error === undefined ? this.state : `${this.state}: ${this.error}`
    throw new Error(`The MCP server "${this.name}" is not running now (${why}); nothing was sent to it.`)
  }

  #listAgain(): void {
    const connection = this.#connection
    this.#hasNews = true
    if (this.#isListing || connection === undefined) return
    this.#isListing = true
    void later(RELIST_MS).then(async () => {
      // What changes from here on is in the next list.
      this.#isListing = false
      this.#hasNews = false
      if (this.#connection !== connection) return
      try {
        await this.#shelf.judge(await connection.list(AbortSignal.timeout(this.#options.limits.pingMs)))
      } catch (error) {
        connection.drop(plainReason(error, connection.sdk))
      }
    })
  }
}
