import type { ServerState } from '../../contract/mcp.ts'
import type { Tool } from '../../contract/tool.ts'
import type { Clock } from '../../lib/clock.ts'
import { delay } from '../../lib/delay.ts'
import type { Connection } from './connection.ts'
import type { JudgedTool } from './judge-tools.ts'
import type { McpLimits } from './mcp.ts'
import { makeTool } from './make-tool.ts'
import type { Offer } from './offer.ts'
import type { OpenTasks } from './open-tasks.ts'
import { restAfter } from './rest-after.ts'
import { runCall } from './run-call.ts'
import { loadSdk } from './sdk.ts'
import type { McpServer } from './servers.ts'
import { plainReason, wantsAuthorization } from './trouble.ts'
import { WatchedState } from './watched-state.ts'

/** How long changes of the list are collected before it is read again. */
const RELIST_MS = 500
/** How often a server that waits for a login checks for it, because it may happen on another node. */
const LOGIN_MS = 15_000

export interface InstanceOptions {
  readonly name: string
  readonly server: McpServer
  readonly clock: Clock
  readonly limits: McpLimits
  open(signal: AbortSignal, onToolsChanged: () => void): Promise<Connection>
  judge(offers: readonly Offer[]): Promise<readonly JudgedTool[]>
  readonly tasks: OpenTasks
  /** changes after a login */
  loginMark(): Promise<string>
  onChange(instance: Instance): void
}

/** One server of one workspace: started when needed, restarted when it fails, stopped when it is no longer used. */
export class Instance {
  readonly name: string
  /** what the server offers, compared with what is trusted */
  judged: readonly JudgedTool[] = []
  since: number
  restarts = 0
  /** why it failed last */
  error: string | undefined
  protocolVersion: string | undefined
  lastUsed: number
  readonly tasks: OpenTasks

  readonly #options: InstanceOptions
  readonly #state = new WatchedState<ServerState>('stopped')
  #offers: readonly Offer[] = []
  #tools: readonly Tool[] = []
  #connection: Connection | undefined
  #isClosed = false
  #stop: AbortController | undefined
  #loop: Promise<void> = Promise.resolve()
  #wake = new AbortController()
  /** it was woken to check for a login, not to try again in any case */
  #onlyLooks = false
  #failures = 0
  #starts = 0
  #wasReady = false
  #awaySince = 0
  #running = 0
  #isListing = false
  /** the list changed during its first reading */
  #hasNews = false

  constructor(options: InstanceOptions) {
    this.#options = options
    this.name = options.name
    this.tasks = options.tasks
    this.since = this.lastUsed = options.clock.now()
  }

  get state(): ServerState {
    return this.#state.value
  }

  get isRunning(): boolean {
    return this.#stop !== undefined
  }

  get isBusy(): boolean {
    return this.#running > 0
  }

  /** The tools that can be called now; waits for a server that is starting, but not twice for the same failure. */
  async tools(): Promise<readonly Tool[]> {
    await this.#use()
    const { connectMs } = this.#options.limits
    await this.#state.until(() => !this.#isHopeful(), connectMs - (performance.now() - this.#awaySince))
    return this.state === 'ready' ? this.#tools : []
  }

  /** Compares what the server offers, now or last time, with what is trusted. */
  async judge(offers: readonly Offer[] = this.#offers): Promise<void> {
    this.#offers = offers
    const judged = await this.#options.judge(offers)
    // A newer list is compared by itself.
    if (this.#offers !== offers) return
    const { server, limits } = this.#options
    this.judged = judged
    this.#tools = judged
      .filter(({ state }) => state === 'pinned')
      .map((one) => makeTool(one, server, limits.descriptionChars, (...call) => runCall(this, ...call)))
  }

  /** Until `ended`, it is not stopped to make room. */
  began(): void {
    this.#running += 1
  }

  ended(isAnswered: boolean): void {
    this.#running -= 1
    this.lastUsed = this.#options.clock.now()
    if (isAnswered) this.#failures = 0
  }

  /** Makes it check its connection, or for what it waits for, at once. */
  wake(): void {
    this.#wake.abort()
  }

  /** Somebody may have logged in on another node. */
  seeLogin(): void {
    if (this.state !== 'needs authorization') return
    this.#onlyLooks = true
    this.wake()
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

  /** Starts it if it is not running; one that is stopping stops first. */
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
      await this.judge(await connection.list(attempt))
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
      const reason = attempt.aborted ? 'it did not start in time' : plainReason(error, sdk)
      this.error = reason
      if (wantsAuthorization(error, sdk)) this.#become('needs authorization')
      else this.#fail(reason)
      return undefined
    }
  }

  /** Resolves with the reason when the connection is lost, with nothing when the server is no longer needed. */
  async #watch(connection: Connection, signal: AbortSignal): Promise<string | undefined> {
    const { healthMs, idleMs } = this.#options.limits
    for (;;) {
      const lost = await Promise.race([connection.lost, this.#pause(Math.min(healthMs, idleMs), signal)])
      this.wake()
      if (signal.aborted) return undefined
      if (lost !== undefined) return lost
      if (this.#isIdle()) return undefined
      // A working server may be too busy to answer, and its calls have their own deadlines.
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
    const { isOpen, ms } = restAfter(this.#failures, this.#options.limits)
    if (isOpen) this.error = `${this.error}; it failed ${this.#failures} times in a row and is left alone for a while`
    return delay(ms, signal)
  }

  /** Trying before somebody logged in would only begin one login after the other. */
  async #awaitLogin(signal: AbortSignal): Promise<void> {
    const mark = (): Promise<string> => this.#options.loginMark().catch(() => '')
    const before = await mark()
    let isOver = false
    while (!isOver && !signal.aborted && !this.#isIdle()) {
      await this.#pause(Math.min(LOGIN_MS, this.#options.limits.idleMs), signal)
      isOver = (this.#wake.signal.aborted && !this.#onlyLooks) || (await mark()) !== before
      this.#onlyLooks = false
    }
  }

  /** Waits, unless it is woken. */
  #pause(ms: number, signal: AbortSignal): Promise<undefined> {
    this.#wake = new AbortController()
    return delay(ms, AbortSignal.any([signal, this.#wake.signal])).then(() => undefined)
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
    return !this.isBusy && !this.tasks.isAny && this.#options.clock.now() - this.lastUsed >= this.#options.limits.idleMs
  }

  /** Whether it is worth waiting for: the first start, or the first restart after it was ready. */
  #isHopeful(): boolean {
    if (this.state === 'starting') return this.#wasReady || this.#starts === 1
    return this.state === 'failed' && this.#wasReady && this.#failures <= 1
  }

  /** The connection, as soon as there is one; rejects with the reason if there is none in time. */
  async ready(signal: AbortSignal): Promise<Connection> {
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
    void delay(RELIST_MS).then(async () => {
      // Later changes are in the next list.
      this.#isListing = false
      this.#hasNews = false
      if (this.#connection !== connection) return
      try {
        await this.judge(await connection.list(AbortSignal.timeout(this.#options.limits.pingMs)))
      } catch (error) {
        connection.drop(plainReason(error, connection.sdk))
      }
    })
  }
}
