import { Worker } from 'node:worker_threads'
import type { JsonObject } from '../contract/message.ts'
import type { JsonSchema } from '../contract/tool.ts'
import { takingTurns } from '../lib/taking-turns.ts'
import { visible } from '../lib/visible.ts'
import { workerFile } from '../lib/worker-file.ts'
import { errorText } from './error-text.ts'
import type { Validation } from './schema-check.ts'

/** Much longer than a normal check takes. */
const CHECK_MS = 2000
/** An idle thread ends after this time. */
const IDLE_MS = 60_000

const threads = new Map<Checked, SchemaThread>()

/** What is checked; each kind waits only for its own, and one schema that is checked often goes in turn with others. */
type Checked = 'tools' | 'answers' | 'workflows'
const turns = { tools: takingTurns(1), answers: takingTurns(1), workflows: takingTurns(1) }

export interface Turn {
  /** default `tools` */
  readonly kind?: Checked
  /** Whoever has many schemas goes in turn with others, too. */
  readonly whose?: string
}

/** Among the schemas of each of those. */
const ownTurns = new Map<string, ReturnType<typeof takingTurns>>()

function ownTurnsOf(whose: string): ReturnType<typeof takingTurns> {
  const own = ownTurns.get(whose) ?? takingTurns(1)
  ownTurns.set(whose, own)
  return own
}

/** Nobody leaves before their turn. */
const STAYS = new AbortController().signal

/**
 * Checks arguments against a schema that somebody else wrote; never rejects. A pattern or a few references in it can take
 * forever, so it is checked in a thread that is ended when it takes too long; one thread makes all checks of a kind in
 * turn.
 */
export function foreignCheck(
  schema: JsonSchema,
  args: JsonObject,
  { kind = 'tools', whose }: Turn = {},
): Promise<Validation> {
  const text = JSON.stringify(schema)
  const inTurn = (): Promise<Validation> => turns[kind](whose ?? text, STAYS, () => check(kind, text, args))
  return whose === undefined ? inTurn() : ownTurnsOf(whose)(text, STAYS, inTurn)
}

async function check(kind: Checked, text: string, args: JsonObject): Promise<Validation> {
  try {
    let thread = threads.get(kind)
    if (thread === undefined || thread.isOver) threads.set(kind, (thread = new SchemaThread()))
    const checked = await thread.check(text, JSON.stringify(args))
    return checked.ok ? checked : { ...checked, message: visible(checked.message) }
  } catch (error) {
    return { ok: false, message: `The arguments could not be checked: ${visible(errorText(error))}` }
  }
}

/** Keeps the process alive only during a check. */
class SchemaThread {
  isOver = false
  readonly #worker = new Worker(workerFile('schema-worker', import.meta.url), {
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16 },
  })
  readonly #ready = Promise.withResolvers<void>()
  readonly #failed = Promise.withResolvers<never>()
  #answer = Promise.withResolvers<string>()
  #idle: NodeJS.Timeout | undefined

  constructor() {
    this.#failed.promise.catch(() => {})
    this.#worker.on('message', (text: string) => {
      if (text === 'ready') this.#ready.resolve()
      else this.#answer.resolve(text)
    })
    this.#worker.on('error', (error) => this.#end(error))
    this.#worker.on('exit', () => this.#end(new Error('the thread for it ended')))
  }

  /** Rejects with the reason if there is no answer; the thread is over then. */
  async check(schema: string, args: string): Promise<Validation> {
    clearTimeout(this.#idle)
    this.#worker.ref()
    let late: NodeJS.Timeout | undefined
    try {
      await Promise.race([this.#ready.promise, this.#failed.promise])
      this.#answer = Promise.withResolvers()
      late = setTimeout(() => this.#end(new Error('it was not done in time; their schema asks for too much')), CHECK_MS)
      this.#worker.postMessage({ schema, args }, [])
      return JSON.parse(await Promise.race([this.#answer.promise, this.#failed.promise])) as Validation
    } finally {
      clearTimeout(late)
      this.#worker.unref()
      this.#idle = setTimeout(() => this.#end(new Error('it had nothing to do')), IDLE_MS).unref()
    }
  }

  #end(why: unknown): void {
    clearTimeout(this.#idle)
    this.isOver = true
    this.#failed.reject(why)
    void this.#worker.terminate()
  }
}
