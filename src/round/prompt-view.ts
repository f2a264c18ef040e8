import type { Retrieved } from '../contract/sent-prompt.ts'
import type { Message } from '../contract/message.ts'
import { LAYERS, type LayerName } from '../contract/prompt.ts'
import type { SentPart, SentPromptView } from '../contract/views.ts'
import { textKey, tokensOf } from '../context/index.ts'
import { canonicalJson } from '../lib/canonical-json.ts'
import { sha256 } from '../lib/hash.ts'
import { messageChars } from '../session/index.ts'
import { eventSteps, type LogStore } from '../store/index.ts'
import type { Rebuilt } from './rebuild-prompt.ts'

/** A rebuilt prompt for people: by layer, with what was left out, and without what was deleted since. */
export async function promptView(
  store: LogStore,
  sessionId: string,
  requestId: string,
  turn: number,
  rebuilt: Rebuilt,
): Promise<SentPromptView> {
  const { prompt, tools, sent, model, attempt, erased, isExact } = rebuilt
  const deleted = await deletedSince(store, sessionId, rebuilt)
  const { fileBytes: _, toolChoice, ...params } = sent.params
  const forced = typeof toolChoice === 'object' ? toolChoice.tool : toolChoice
  const parameters = { ...params, ...(forced !== undefined && { toolChoice: forced }) }
  const layerOf = (name: LayerName): SentPart[] => [
    ...prompt.parts.filter(({ layer }) => layer === name).map((part) => partView(part, erased.has(part.hash))),
    ...(name === 'context'
      ? [
          ...rebuilt.choice.added.map(({ id, text }) => partView({ id, hash: sha256(text), text }, false)),
          ...(rebuilt.choice.retrieved ?? []).map((one) => retrievedView(one, rebuilt.texts.get(textKey(one)))),
        ]
      : []),
    ...(name === 'conversation' ? prompt.messages.map((message) => messageView(message, deleted)) : []),
  ]
  const layers = LAYERS.map((name) => ({ name, parts: layerOf(name) })).filter(({ parts }) => parts.length > 0)
  // A note has words of several events, so none is shown once one of them is gone.
  const notesErased = deleted.size > 0 && prompt.notes.length > 0
  return {
    requestId,
    turn,
    attempt,
    model,
    renderer: sent.renderer,
    isExact: isExact && !notesErased && !layers.some(({ parts }) => parts.some((part) => part.erased)),
    layers,
    notes: notesErased ? prompt.notes.map(() => '(erased)') : prompt.notes,
    leftOut: [...(await earlierMessages(store, sessionId, rebuilt)), ...shortenedViews(rebuilt)],
    tools,
    parameters,
  }
}

function retrievedView(one: Retrieved, text: string | undefined): SentPart {
  const id =
    one.kind === 'passage' ? one.documentId : one.kind === 'memory' ? one.memoryId : 'name' in one ? one.name : one.path
  const hash = 'hash' in one ? one.hash : text === undefined ? '' : sha256(text)
  const about = { id, ...('version' in one && { version: one.version }), hash }
  return text === undefined
    ? { ...about, tokens: tokensOf(one.chars), erased: true }
    : partView({ ...about, text }, false)
}

function partView(
  { id, version, hash, text }: Pick<SentPart, 'id' | 'version' | 'hash'> & { readonly text: string },
  isErased: boolean,
): SentPart {
  const about = { id, ...(version !== undefined && { version }), hash, tokens: tokensOf(text.length) }
  return isErased ? { ...about, erased: true } : { ...about, text }
}

function messageView({ role, content, eventIds }: Message, deleted: ReadonlySet<string>): SentPart {
  const text = content
    .map((part) => {
      if (part.type === 'text' || part.type === 'reasoning') return part.text
      if (part.type === 'tool_use') return `[call of ${part.name}: ${part.raw ?? JSON.stringify(part.input)}]`
      return part.type === 'tool_result' ? part.content : `[file: ${part.mediaType}, ${part.bytes} bytes]`
    })
    .join('\n\n')
  const isErased = eventIds.some((id) => deleted.has(id))
  const part = { id: eventIds[0] ?? 'segno', hash: sha256(canonicalJson(content)), text }
  return { ...partView(part, isErased), role, eventIds }
}

/** What is not shown of the conversation before. */
async function earlierMessages(
  store: LogStore,
  sessionId: string,
  { choice: { from, isCut }, sent }: Rebuilt,
): Promise<SentPromptView['leftOut']> {
  if (!isCut && sent.summary === undefined) return []
  let messages = 0
  let chars = 0
  for await (const events of eventSteps(store, sessionId, { upTo: Math.max(0, from - 1) })) {
    for (const event of events) {
      if (event.type === 'context.cleared') messages = chars = 0
      const more = messageChars(event)
      if (more === undefined) continue
      messages += 1
      chars += more
    }
  }
  const why = isCut
    ? 'The conversation is longer than HISTORY_MESSAGES, CONTEXT_TOKENS or the window of the model allow.'
    : 'A summary stands for them.'
  return messages === 0 ? [] : [{ what: `${messages} earlier messages`, tokens: tokensOf(chars), why }]
}

/** Ids of the messages that were deleted after it was sent, and of its summary if that stands for one of them. */
async function deletedSince(
  store: LogStore,
  sessionId: string,
  { choice: { from }, sent: { summary }, seq }: Rebuilt,
): Promise<ReadonlySet<string>> {
  const deleted = new Set<string>()
  let isSummaryDeleted = false
  for await (const events of eventSteps(store, sessionId, { after: seq })) {
    for (const event of events) {
      if (event.type !== 'message.deleted') continue
      deleted.add(event.data.target)
      isSummaryDeleted ||= (event.data.seq ?? Infinity) < from
    }
  }
  if (summary !== undefined && isSummaryDeleted)
    for (const { id } of await store.read(sessionId, { after: summary - 1, upTo: summary })) deleted.add(id)
  return deleted
}

function shortenedViews({ choice: { shortened, withoutFiles } }: Rebuilt): SentPromptView['leftOut'] {
  const why = 'Older results make room for newer ones.'
  return [
    ...shortened.map((callId) => ({ what: `most of the result of call ${callId}`, tokens: 0, why })),
    ...withoutFiles.map((callId) => ({ what: `the files of call ${callId}`, tokens: 0, why })),
  ]
}
