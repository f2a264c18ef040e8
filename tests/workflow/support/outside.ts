import type { EngineName } from '../../../src/contract/automation.ts'
import type { Json, JsonObject } from '../../../src/contract/message.ts'
import type { Engine, HandOver, KeptTarget } from '../../../src/workflow/engine.ts'
import type { Report, Reporter } from '../../../src/workflow/invocations.ts'

/**
 * What the other side does with a request to start: `succeeds`, `fails`: it does the work and says so; `goes on`: it
 * begins, and its result comes later; `stays silent`, `breaks off`: it does the work, and its answer never arrives;
 * `drops`: the connection breaks before it took anything; `is busy`, `refuses`: it takes nothing, and says so
 */
export type Conduct = 'succeeds' | 'fails' | 'goes on' | 'stays silent' | 'breaks off' | 'drops' | 'is busy' | 'refuses'

/** A request to start that came, whatever was done with it. */
export interface Asked {
  readonly key: string
  readonly input: unknown
  /** how many automations led to it */
  readonly depth: string
  readonly invocationId: string
  /** with which a result may be reported, where one came along */
  readonly token?: string
}

/** A real other side on loopback, which remembers keys: what it has begun with a key it never begins again. */
export interface Outside {
  readonly engine: EngineName
  readonly target: unknown
  /** its secrets besides those of the target */
  readonly secrets: Readonly<Record<string, string>>
  /** the origin of its addresses, which is private */
  readonly origin?: string
  /** where it is, if it has no origin */
  readonly address?: string
  /** what can be asked: the state of a key, or of an execution whose id it told */
  readonly finds: 'keys' | 'executions' | undefined
  /** whether it can be told to stop */
  readonly cancels: boolean
  /** whether the answer to a request to start can be the result */
  readonly answersAtOnce: boolean
  /** the Retry-After of `is busy` */
  readonly retryAfterMs: number
  /** What it does with the requests to come, one each; the last one stays. */
  play(...conducts: readonly [Conduct, ...Conduct[]]): void
  /** What works return that end from now on. */
  returns(output: Json): void
  readonly asked: readonly Asked[]
  /** the keys of the works it began, in order */
  readonly begun: readonly string[]
  /** Resolves when it was asked to start so many times. */
  wasAsked(times: number): Promise<void>
  /** Ends a work that goes on. */
  end(key: string, how?: 'success' | 'failure'): void
  isStopped(key: string): boolean
  /** How its results are reported: signed, with the token that came along, or by a person. */
  reporter(asked: Asked, report: Report, now: number): Reporter
  /** Nobody listens any more. */
  leave(): Promise<void>
}

export const OUTPUT: JsonObject = { done: true }
export const FAILURE = 'There is no paper.'

/** One hand-over to it, as the engine is given it. */
export function handOver(outside: Outside, engine: Engine, changes: Partial<HandOver> = {}): HandOver {
  const { target, secrets }: KeptTarget = engine.readTarget(outside.target)
  return {
    target,
    secrets: { ...outside.secrets, ...secrets },
    invocationId: crypto.randomUUID(),
    key: `key-${crypto.randomUUID()}`,
    input: { page: 1 },
    depth: 2,
    callback: {
      url: 'https://segno.example.org/api/invocations/1/result',
      token: 'token-of-this-hand-over-0123456789',
    },
    signal: new AbortController().signal,
    timeoutMs: 30_000,
    ...changes,
  }
}

/** Tells those who wait for a number to be reached. */
export function counter() {
  let count = 0
  const waiting = new Set<() => void>()
  return {
    add(): void {
      count += 1
      for (const look of waiting) look()
    },
    reaches: (wanted: number): Promise<void> =>
      new Promise((resolve) => {
        const look = (): void => {
          if (count < wanted) return
          waiting.delete(look)
          resolve()
        }
        waiting.add(look)
        look()
      }),
  }
}

/** Takes one after the other; the last one stays. */
export function played(first: Conduct) {
  let left: Conduct[] = [first]
  return {
    play: (...conducts: readonly [Conduct, ...Conduct[]]): void => void (left = [...conducts]),
    next: (): Conduct => (left.length > 1 ? left.shift() : left[0]) ?? first,
  }
}
