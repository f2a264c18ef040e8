import { Worker } from 'node:worker_threads'
import type { Validation } from './schema-check.ts'
import { workerFile } from '../lib/worker-file.ts'

/** Far more than an honest check takes, and little for whoever waits behind one that is not. */
const CHECK_MS = 2000
/** After this long without work the thread gives its memory back. */
const IDLE_MS = 60_000

/** A thread that checks one thing at a time, and no longer than it may. It keeps no process alive while it does nothing. */
export class SchemaThread {
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

  /** Rejects with why there is no answer; the thread is over then. */
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
