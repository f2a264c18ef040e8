import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import { fileHashes } from '../../src/context/index.ts'
import type { EventOf, StoredEvent } from '../../src/contract/event.ts'
import type { Model } from '../../src/model/index.ts'
import { render } from '../../src/model/render/render.ts'
import { rebuildPrompt } from '../../src/round/rebuild-prompt.ts'
import type { Store } from '../../src/store/index.ts'

type Entry = Omit<Model, 'language'>

/** What a model was really sent. */
export interface SentCall {
  readonly sessionId: string
  readonly requestId: string
  /** its key */
  readonly model: string
  readonly options: LanguageModelV4CallOptions
  /** the last stored event by then */
  readonly seq: number
}

type Start = EventOf<'turn.started'> | EventOf<'turn.retried'>

const isStart = (event: StoredEvent): event is Start => event.type === 'turn.started' || event.type === 'turn.retried'

/** How what a model was sent differs from what the log says it was sent; undefined if not a byte does. */
export async function rebuiltFault(store: Store, sent: SentCall, entryOf: (key: string) => Entry) {
  const { sessionId, requestId, seq, options } = sent
  const before = await store.read(sessionId, { upTo: seq })
  const starts = before.filter((event) => event.requestId === requestId).filter(isStart)
  const turn = starts.at(-1)?.data.turn ?? 0
  const attempt = starts.filter(({ data }) => data.turn === turn && data.sent !== undefined).length
  const what = `turn ${turn}, attempt ${attempt} of round ${requestId}`
  const round = await store.round(requestId)
  const rebuilt = round && (await rebuildPrompt(store, round, turn, attempt))
  if (!rebuilt) return `${what} cannot be rebuilt`
  if (!rebuilt.isExact) return `${what} is not rebuilt exactly`
  if (rebuilt.model !== sent.model) return `${what} went to ${sent.model}, the log says ${rebuilt.model}`
  const { mayUseTools, toolChoice, output: _, fileBytes, withoutThoughts, ...params } = rebuilt.sent.params
  const files = new Map<string, Uint8Array>()
  for (const hash of fileHashes(rebuilt.prompt, fileBytes)) {
    const bytes = await store.blob(hash)
    if (bytes) files.set(hash, bytes)
  }
  const { prompt, tools, output } = rebuilt
  const request = {
    prompt,
    tools,
    mayUseTools,
    ...(toolChoice && { toolChoice }),
    ...(output && { output }),
    sessionId,
    requestId,
    files,
    ...(withoutThoughts && { withoutThoughts }),
  }
  const { temperature: __, effort: ___, ...entry } = entryOf(rebuilt.model)
  const again = render(
    request,
    { ...entry, ...(params as Pick<Entry, 'maxOutput'>) },
    callOf(options),
    options.abortSignal as AbortSignal,
  )
  const parting = partingOf(bytesOf(options), bytesOf(again))
  return parting && `${what} was sent as ${parting[0]} and is rebuilt as ${parting[1]}`
}

const callOf = ({ providerOptions }: LanguageModelV4CallOptions): number => Number(providerOptions?.['segno']?.['call'])

/** Everything but the signal, which is no part of it. */
function bytesOf({ abortSignal: _, ...options }: LanguageModelV4CallOptions): string {
  return JSON.stringify(options)
}

function partingOf(sent: string, again: string): readonly [string, string] | undefined {
  if (sent === again) return undefined
  let at = 0
  while (sent[at] === again[at]) at += 1
  const around = (text: string): string => `…${text.slice(Math.max(0, at - 80), at + 120)}…`
  return [around(sent), around(again)]
}
