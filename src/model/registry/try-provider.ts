import { readJson } from '../../lib/read-json.ts'
import { isObject } from '../../lib/type-guards.ts'
import { askModel } from '../call/ask-model.ts'
import type { Breakers } from '../call/breaker.ts'
import { describeFailure, type Failure } from '../call/failure.ts'
import type { Model, ModelEntry } from '../model.ts'
import { PROVIDERS } from '../providers/provider-table.ts'
import type { Provider } from '../providers/provider.ts'
import { MOST_LIST_BYTES, requestModels } from './request-models.ts'

export interface TryOptions {
  /** what the provider calls a model, for servers that do not list theirs */
  readonly modelId?: string
  readonly timeoutMs: number
  readonly signal: AbortSignal
  readonly breakers: Breakers
}

/** What came of asking a provider for something small; nothing of it is the provider's own words. */
export interface Tried {
  readonly ok: boolean
  readonly message: string
}

/** It has no list; a model can be asked instead. */
const NO_LIST = new Set([404, 405, 501])

/** Asks for the list of models, which costs nothing; a server without one is asked by `askOne`, if that is given. */
export async function tryProvider(
  provider: Provider,
  signal: AbortSignal,
  askOne: (() => Promise<Failure | undefined>) | undefined,
): Promise<Tried> {
  if (provider.missing !== undefined) return { ok: false, message: `It cannot be used: ${provider.missing}.` }
  try {
    const { status, count } = hasList(provider) ? await listModels(provider, signal) : { status: 404 }
    if (count !== undefined) return { ok: true, message: `It answers, and lists ${count} models.` }
    if (status < 300) return { ok: false, message: NOT_A_LIST }
    if (!NO_LIST.has(status)) return failed(describeFailure({ statusCode: status }))
    if (!askOne)
      return {
        ok: false,
        message:
          'It does not list its models there. Check its address, which mostly ends with /v1, or name one to try.',
      }
    const failure = await askOne()
    return failure ? failed(failure) : { ok: true, message: 'It answers: the model said something.' }
  } catch (error) {
    if (signal.aborted) return { ok: false, message: 'It did not answer in time (limit PROVIDER_TEST_MS).' }
    return failed(describeFailure(error))
  }
}

/** Why a model does not say a word, undefined if it does. */
export async function askForAWord(
  model: Model,
  { timeoutMs, signal, breakers }: TryOptions,
): Promise<Failure | undefined> {
  const patience = { connectMs: timeoutMs, firstContentMs: timeoutMs, contentGapMs: timeoutMs, hurried: false }
  const question = { system: '', text: 'Say: yes', maxOutput: FEW_TOKENS }
  return (await askModel(model, question, { patience, answerChars: MOST_CHARS, breakers, signal })).failure
}

/** Some take no fewer. */
const FEW_TOKENS = 16
const MOST_CHARS = 10_000

/** The model that a provider of this kind is known to have. */
export function standardModel(kind: string, entries: readonly ModelEntry[]): string | undefined {
  const standard = PROVIDERS.find(({ name }) => name === kind)?.standard
  if (standard?.startsWith(`${kind}:`)) return standard.slice(kind.length + 1)
  return entries.find(({ key }) => key === standard)?.modelId
}

/** Nobody knows where a package lists its models. */
const hasList = ({ kind, baseURL }: Provider): boolean => kind !== 'package' && baseURL !== undefined

const NOT_A_LIST = 'Something answers there, but not with a list of models: is the base URL right?'

const failed = ({ reason }: Failure): Tried => ({ ok: false, message: `It does not work: ${reason}.` })

/** `count` is undefined if the answer is no list of models; most call it `data`, Google and Ollama `models`. */
async function listModels(provider: Provider, signal: AbortSignal): Promise<{ status: number; count?: number }> {
  const response = await requestModels(provider, signal)
  const { status } = response
  if (status !== 200) {
    void response.body?.cancel().catch(() => {})
    return { status }
  }
  const answer = await readJson(response, MOST_LIST_BYTES).catch((error: unknown) => {
    if (!(error instanceof SyntaxError)) throw error
  })
  const list = isObject(answer) ? (answer['data'] ?? answer['models']) : undefined
  return { status, ...(Array.isArray(list) && { count: list.length }) }
}
