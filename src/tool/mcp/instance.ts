import type { JsonObject } from '../../contract/message.ts'
import type { Tool, ToolContext, ToolOutput } from '../../contract/tool.ts'
import type { Clock } from '../../lib/clock.ts'
import { later } from '../../lib/later.ts'
import { callTool } from './call-tool.ts'
import type { Connection } from './connection.ts'
import type { JudgedTool } from './judge-tools.ts'
import type { McpLimits } from './limits.ts'
import { makeTool } from './make-tool.ts'
import type { ServerState } from './mcp.ts'
import type { Offer } from './offer.ts'
import { readResult } from './read-result.ts'
import { loadSdk } from './sdk.ts'
import type { McpServer, ToolSettings } from './servers.ts'
import { CONNECTION_LOST, fateOf, needsNewConnection, plainReason, wantsAuthorization } from './trouble.ts'

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
  /** has somebody let Segno in? */
  isAuthorized(): Promise<boolean>
  onChange(instance: Instance): void
}

/**
 * One server at work for one workspace: started when it is needed, watched, started again when it fails, left alone for
 * a while when it keeps failing, stopped when nobody needs it.
 */
export class Instance {
  readonly name: string
  state: ServerState = 'stopped'
  since: number
  restarts = 0
  error: string | undefined
  protocolVersion: string | undefined
  lastUsed: number
  judged: readonly JudgedTool[] = []

  readonly #options: InstanceOptions
  #tools: readonly Tool[] = []
  #connection: Connection | undefined
  #stop: AbortController | undefined
  #loop: Promise<void> = Promise.resolve()
  #changed = Promise.withResolvers<void>()
  #wake = new AbortController()
  #failures = 0
  #starts = 0
  #wasReady = false
  #awaySince = 0
  #running = 0
  #listing: Promise<void> | undefined

  constructor(options: InstanceOptions) {
    this.#options = options
    this.name = options.name
    this.since = options.clock.now()
    this.lastUsed = this.since
  }

  get isRunning(): boolean {
    return this.#stop !== undefined
  }

  get isBusy(): boolean {
    return this.#running > 0
  }

  /** The tools that can be called now; waits for a server that is on its way, but not twice for the same trouble. */
  async tools(): Promise<readonly Tool[]> {
    this.#use()
    const { connectMs } = this.#options.limits
    await this.#until(() => !this.#isHopeful(), connectMs - (performance.now() - this.#awaySince))
    return this.state === 'ready' ? this.#tools : []
  }

  /** Looks at what the server offers once more, after somebody approved something. */
  async judgeAgain(): Promise<void> {
    const offers = this.judged.flatMap(({ name, wire, hash, reason }): Offer[] => {
      if (wire !== undefined && hash !== undefined) return [{ name, wire, hash }]
      return reason === undefined ? [] : [{ name, fault: reason }]
    })
    this.#take(await this.#options.judge(offers))
  }

  /** What it waited for may have happened: it tries again at once. */
  wake(): void {
    this.#wake.abort()
  }

  async stop(): Promise<void> {
    this.#stop?.abort()
    await this.#loop
  }

  #use(): void {
    this.lastUsed = this.#options.clock.now()
    if (this.#stop !== undefined) return
    const stop = new AbortController()
    this.#stop = stop
    this.#awaySince = performance.now()
    this.#failures = 0
    this.#starts = 0
    this.#wasReady = false
    this.#loop = this.#live(stop.signal).finally(() => {
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
        if (reason !== undefined && !signal.aborted) this.#fail(reason)
        await connection.close()
        if (reason === undefined) return
      }
      if (signal.aborted || this.#isIdle()) return
      await this.#rest(signal)
    }
  }

  async #start(signal: AbortSignal): Promise<Connection | undefined> {
    this.#starts += 1
    this.restarts = this.#starts - 1
    this.#become('starting')
    const { limits, open, judge } = this.#options
    const attempt = AbortSignal.any([signal, AbortSignal.timeout(limits.startMs)])
    let connection: Connection | undefined
    try {
      connection = await open(attempt, () => this.#listAgain())
      this.#take(await judge(await connection.list(attempt)))
      this.protocolVersion = connection.protocolVersion
      this.#connection = connection
      this.#wasReady = true
      this.error = undefined
      this.#become('ready')
      return connection
    } catch (error) {
      await connection?.close()
      if (signal.aborted) return undefined
      const sdk = await loadSdk()
      if (wantsAuthorization(error, sdk)) {
        this.error = plainReason(error, sdk)
        this.#become('needs authorization')
      } else this.#fail(attempt.aborted ? 'it did not start in time' : plainReason(error, sdk))
      return undefined
    }
  }

  /** Resolves with the reason when the connection is lost, with nothing when the server is not needed any more. */
  async #watch(connection: Connection, signal: AbortSignal): Promise<string | undefined> {
    const { healthMs, idleMs } = this.#options.limits
    for (;;) {
      this.#wake = new AbortController()
      const tick = AbortSignal.any([signal, this.#wake.signal])
      const gone = await Promise.race([connection.lost, later(Math.min(healthMs, idleMs), tick)])
      this.#wake.abort()
      if (signal.aborted) return undefined
      if (gone !== undefined) return gone
      if (this.#isIdle()) return undefined
      // A server that is at work may be too busy to answer; its calls have deadlines of their own.
      if (this.#running > 0) continue
      try {
        await Promise.race([connection.ping(), connection.lost])
        this.#failures = 0
      } catch {
        if (this.#running === 0) return 'it does not answer'
      }
    }
  }

  async #rest(signal: AbortSignal): Promise<void> {
    const { restartMs, breakerMs, breakerFailures, idleMs } = this.#options.limits
    if (this.state !== 'needs authorization') {
      const isOpen = breakerFailures > 0 && this.#failures >= breakerFailures
      if (isOpen) this.error = `${this.error}; it failed ${this.#failures} times in a row and is left alone for a while`
      const doublings = Math.min(Math.max(0, this.#failures - 1), MOST_DOUBLINGS)
      await later(isOpen ? breakerMs : restartMs * 2 ** doublings, signal)
      return
    }
    while (!signal.aborted && !this.#isIdle()) {
      this.#wake = new AbortController()
      await later(Math.min(LOGIN_MS, idleMs), AbortSignal.any([signal, this.#wake.signal]))
      if (this.#wake.signal.aborted || (await this.#options.isAuthorized().catch(() => false))) return
    }
  }

  #fail(reason: string): void {
    this.#failures += 1
    this.error = reason
    this.#become('failed')
  }

  #become(state: ServerState): void {
    this.state = state
    this.since = this.#options.clock.now()
    this.#changed.resolve()
    this.#changed = Promise.withResolvers()
    this.#options.onChange(this)
  }

  #isIdle(): boolean {
    return this.#running === 0 && this.#options.clock.now() - this.lastUsed >= this.#options.limits.idleMs
  }

  /** Is it worth waiting for? Somebody who waits may hope for the first start, and for a restart after a good time. */
  #isHopeful(): boolean {
    if (this.state === 'starting') return this.#wasReady || this.#starts === 1
    return this.state === 'failed' && this.#wasReady && this.#failures <= 1
  }

  async #until(isTrue: () => boolean, ms: number, signal?: AbortSignal): Promise<void> {
    const enough = new AbortController()
    const end = AbortSignal.any([enough.signal, ...(signal ? [signal] : [])])
    const time = later(ms, end)
    try {
      while (!isTrue()) {
        const isOver = await Promise.race([this.#changed.promise.then(() => false), time.then(() => true)])
        if (isOver) return
      }
    } finally {
      enough.abort()
    }
  }

  #take(judged: readonly JudgedTool[]): void {
    const { server, limits } = this.#options
    this.judged = judged
    this.#tools = judged
      .filter(({ state }) => state === 'pinned')
      .map((one) => makeTool(one, server, limits.descriptionChars, (...call) => this.#run(...call)))
  }

  #listAgain(): void {
    const connection = this.#connection
    if (this.#listing !== undefined || connection === undefined) return
    this.#listing = later(RELIST_MS).then(async () => {
      // What changes from here on is in the next list.
      this.#listing = undefined
      if (this.#connection !== connection) return
      try {
        this.#take(await this.#options.judge(await connection.list(AbortSignal.timeout(this.#options.limits.pingMs))))
      } catch (error) {
        connection.drop(plainReason(error, connection.sdk))
      }
    })
  }

  async #run(tool: JudgedTool, settings: ToolSettings, args: JsonObject, ctx: ToolContext): Promise<ToolOutput> {
    const { effect = 'unsafe' } = settings
    const key = effect === 'keyed' ? ctx.idempotencyKey : undefined
    try {
      return await this.#attempt(tool, key, args, ctx)
    } catch (error) {
      // Only what may run twice is tried twice, and not after somebody stopped it.
      const mayRepeat =
        effect !== 'unsafe' && (error as { effect?: unknown }).effect === 'unknown' && !ctx.signal.aborted
      if (!mayRepeat) throw error
      return this.#attempt(tool, key, args, ctx)
    }
  }

  async #attempt(tool: JudgedTool, key: string | undefined, args: JsonObject, ctx: ToolContext): Promise<ToolOutput> {
    const connection = await this.#ready(ctx.signal)
    const offered = this.judged.find(({ name }) => name === tool.name)
    if (offered?.state !== 'pinned' || offered.hash !== tool.hash || offered.wire === undefined) {
      throw new Error(
        `The tool "${tool.name}" of the MCP server "${this.name}" is not what it was: ${offered?.reason ?? 'the server has it no more'}.`,
      )
    }
    const { maxQuestions } = this.#options.limits
    const call = { server: this.name, tool: tool.name, wire: offered.wire, args, key, maxQuestions }
    this.#running += 1
    connection.running.add(ctx)
    try {
      const result = await callTool(connection, call, ctx)
      this.#failures = 0
      return readResult(result)
    } catch (error) {
      throw this.#explain(error, connection, ctx)
    } finally {
      this.#running -= 1
      connection.running.delete(ctx)
      this.lastUsed = this.#options.clock.now()
    }
  }

  async #ready(signal: AbortSignal): Promise<Connection> {
    this.#use()
    const isOver = (): boolean =>
      this.state === 'ready' || this.state === 'needs authorization' || this.state === 'stopped'
    await this.#until(isOver, this.#options.limits.connectMs, signal)
    if (this.#connection !== undefined) return this.#connection
    const why = this.error === undefined ? this.state : `${this.state}: ${this.error}`
    throw new Error(`The MCP server "${this.name}" is not running now (${why}); nothing was sent to it.`)
  }

  /** What a failed call means for the model, and for the connection. */
  #explain(error: unknown, connection: Connection, ctx: ToolContext): unknown {
    const { sdk } = connection
    const fate = fateOf(error, sdk)
    if (ctx.signal.aborted) this.#wake.abort()
    else if (needsNewConnection(error, sdk)) connection.drop(plainReason(error, sdk))
    else if (fate === 'lost' || wantsAuthorization(error, sdk)) this.#wake.abort()
    if (fate === 'answered')
      return sdk.SdkHttpError.isInstance(error) ? new Error(this.#says(error, connection)) : error
    if (fate === 'not sent') return new Error(`${this.#says(error, connection)} Nothing was sent to it.`)
    const text = `${this.#says(error, connection)} Nobody knows whether the call was carried out.`
    return Object.assign(new Error(text), { effect: 'unknown' })
  }

  #says(error: unknown, { sdk, why }: Connection): string {
    const reason = plainReason(error, sdk)
    return `The MCP server "${this.name}" failed: ${reason === CONNECTION_LOST ? (why ?? reason) : reason}.`
  }
}
