import type { WireEvent, WireEventOf } from '../../client/index.ts'
import type { EventType } from '../../contract/event.ts'
import { CONTINUED, textOf } from '../../contract/message.ts'
import { visible, visibleText } from '../../lib/visible.ts'
import { duration, endWords, money, outcomeWords, tokenWords } from './chat/words.ts'

/** An event in words: a line and, below it, the text of a message or a result. */
export interface EventWords {
  readonly line: string
  readonly text?: string
  /** belongs to the conversation, not only to how it went */
  readonly isSaid: boolean
}

const said = (line: string, text?: string): EventWords => ({ line, isSaid: true, ...(text !== undefined && { text }) })
const went = (line: string): EventWords => ({ line, isSaid: false })

type Words = {
  readonly [T in EventType]: (data: WireEventOf<T>['data']) => EventWords | undefined
}

const WORDS: Words = {
  'session.created': ({ title }) => went(`session started: ${visible(title)}`),
  'session.forked': ({ parent }) => went(`forked from ${parent.sessionId} at event ${parent.seq}`),
  'session.changed': () => went('session changed'),
  'session.archived': () => went('session archived'),
  'session.deleted': () => went('session deleted'),
  'round.started': ({ requestId, protocol, mode, model, continues }) =>
    went(
      `round ${requestId} ${continues === undefined ? 'started' : `continues ${continues}`}: ${protocol}, ${mode}, ${visible(model)}`,
    ),
  'round.asked': ({ what, by }) => went(`${what} asked for by ${visible(by)}`),
  'round.waiting': ({ for: what }) => went(`waiting for ${what === 'approval' ? what : `a ${what}`}`),
  'round.paused': () => went('paused'),
  'round.resumed': ({ reason }) => went(`going on (${reason})`),
  'round.ended'({ finishReason, usage, cost, error, unstarted }) {
    if (unstarted) return went('a message that waited was cancelled')
    const words = `${endWords(finishReason)}${error === undefined ? '' : `: ${visible(error)}`}`
    const line = `${words} · ${tokenWords(usage)} · ${money(cost, usage)}`
    return finishReason === 'complete' ? went(line) : said(line)
  },
  'phase.started': ({ phase, phaseIndex, cycleIndex }) => went(`phase ${phaseIndex} (${phase}, cycle ${cycleIndex})`),
  'phase.ended': () => undefined,
  'turn.started': ({ turn, model }) => went(`turn ${turn} asks ${visible(model)}`),
  'turn.retried': ({ turn, reason }) => went(`turn ${turn} tried again: ${visible(reason)}`),
  'turn.ended': ({ turn, durationMs }) => went(`turn ${turn} took ${duration(durationMs)}`),
  'message.user'({ content, own }) {
    if (own) return said(CONTINUED)
    const files = content.flatMap((part) => (part.type === 'file' ? [` + ${fileWords(part)}`] : []))
    return said(`User${files.join('')}`, visibleText(textOf(content)))
  },
  'message.assistant'({ content, files = [], sources = [], interrupted, own }) {
    const text = textOf(content)
    if (text === '' && files.length === 0) return undefined
    const made = files.map((file) => ` + ${fileWords(file)}`).join('')
    const from = sources.map(({ url, title }) => visible([title, url].filter((one) => one !== undefined).join(' ')))
    const who = `${own === true ? 'Segno' : 'Assistant'}${interrupted === true ? ', stopped' : ''}${made}`
    return said(who, [visibleText(text), ...from.map((source) => `Source: ${source}`)].join('\n'))
  },
  'tool.call': ({ name, raw, args }) => went(`${visible(name)} ${visible(raw ?? JSON.stringify(args))}`),
  'approval.requested': ({ tool, target }) => went(`a person is asked about ${visible(tool)} ${visible(target)}`),
  'approval.decided': ({ by, decision }) => went(`decided by ${visible(by)}: ${decision}`),
  'tool.started': ({ name }) => went(`${visible(name ?? 'the call')} starts`),
  'tool.submitted': ({ ref }) => went(`handed over as ${visible(ref)}; its result comes later`),
  'tool.result'({ name, outcome, code, durationMs, content }) {
    const how = `${outcomeWords(outcome) || 'ok'}${code === undefined ? '' : ` (${code})`}`
    return said(`${visible(name)} → ${how} · ${duration(durationMs)}`, content && visibleText(content))
  },
  'tool.reconciled': ({ by, happened, late }) =>
    said(`a call was settled by ${late ? 'its late result' : visible(by)}: it did ${happened ? '' : 'not '}happen`),
  notice: ({ text }) => went(`notice: ${visible(text)}`),
  'model.asked': ({ purpose, model }) => went(`Segno asks ${visible(model)} for a ${purpose}`),
  'model.answered': ({ purpose, usage, cost, durationMs, failed }) =>
    went(
      failed === undefined
        ? `the ${purpose} took ${duration(durationMs)} · ${tokenWords(usage)} · ${money(cost ?? 0, usage)}`
        : `no ${purpose}: ${visible(failed)}`,
    ),
  'compact.summary': ({ text, by }) =>
    said(by === undefined ? 'Summary' : `Summary, asked for by ${visible(by)}`, visibleText(text)),
  'context.cleared': () => said('cleared: what stands above is not told to the model any more'),
  'message.deleted': ({ by }) => went(`a message was deleted by ${visible(by)}`),
}

/** Undefined if there is nothing to show, or the event is of a newer server. */
export function eventWords({ type, data }: WireEvent): EventWords | undefined {
  return (WORDS[type] as ((data: unknown) => EventWords | undefined) | undefined)?.(data)
}

function fileWords({ name, mediaType, bytes }: { name?: string; mediaType: string; bytes: number }): string {
  return visible(`${name ?? 'a file'} (${mediaType}, ${bytes} bytes)`)
}

export const indented = (text: string): string => text.replaceAll(/^(?=.)/gm, '    ')
