import type { AssistantMessage } from '../../../contract/event.ts'
import { textOf, type UserPart } from '../../../contract/message.ts'
import { callLine, type ShownCall } from './call-line.ts'
import type { ChatFrame } from './frames.ts'
import type { WireEvent } from '../wire-events.ts'
import { createMarkdownWriter, type MarkdownOptions, type MarkdownWriter } from './markdown.ts'
import type { Tint } from './paint.ts'
import { oneLine, shownText } from './safe-text.ts'
import { ADVICE, duration, endWords, money } from './words.ts'
import { createWrapper, wrapped } from './wrap.ts'

export interface OpenRound {
  readonly requestId: string
  readonly startedAt: number
  state: 'running' | 'waiting' | 'paused'
}

export type Transcript = ReturnType<typeof createTranscript>

export interface TranscriptOptions extends MarkdownOptions {
  /** the number of the last event that was shown before */
  readonly after?: number
  /** something stands above it already */
  readonly isContinued?: boolean
  /** show what tools put out */
  readonly outputs: () => boolean
  /** show what was said by a user in this round? */
  readonly echoes: (requestId: string) => boolean
}

/** Lines of one kind stand together. */
type Kind = 'user' | 'text' | 'call' | 'ask' | 'note' | 'end'
const MOST_OUTPUT_LINES = 200
/** Here; other commands cannot open the database while this one has it. */
const SETTLE = (callId: string): string => `/reconcile ${callId} yes|no`

/** What has happened, in the order it did: frames in, text for a terminal out. It only ever grows. */
export function createTranscript({
  after = 0,
  isContinued = false,
  width,
  paint,
  write,
  outputs,
  echoes,
}: TranscriptOptions) {
  let open: OpenRound | undefined
  let seq = after
  let writing: string | undefined
  const calls = new Map<string, ShownCall>()
  const running = new Set<string>()
  const later = new Set<string>()
  const pending = new Set<string>()
  /** the text of the turn that is running, as far as it is written */
  let shown = ''
  let turn = 0
  let writer: MarkdownWriter | undefined
  let last: Kind | undefined = isContinued ? 'end' : undefined
  /** what Segno has said of its own in this round */
  let told = ''
  let notices: string[] = []

  /** Different things stand apart. */
  function begin(kind: Kind): void {
    endText()
    if (last !== undefined && (last !== kind || kind === 'user')) write('\n')
    last = kind
  }

  /** A line or more of our own. */
  function say(text: string, tint?: Tint, kind: Kind = 'note'): void {
    begin(kind)
    for (const line of text.split('\n')) write(`${laidOut(shownText(line), tint)}\n`)
  }

  function laidOut(line: string, tint?: Tint): string {
    const [indent = ''] = /^ */.exec(line) ?? []
    // What stands beside a word in front is wrapped beside it too.
    const [front = ''] = /^ +\S+ {2,}/.exec(line) ?? []
    const others = ' '.repeat(Math.min(Math.max(front.length, indent.length), Math.floor(width() / 2)))
    return wrapped(line.slice(indent.length), width, indent, others, (text) => (tint ? paint(tint, text) : text))
  }

  function addText(text: string): void {
    if (text === '') return
    if (!writer) {
      begin('text')
      writer = createMarkdownWriter({ width, paint, write })
    }
    writer.add(text)
  }

  function endText(): void {
    const ended = writer
    writer = undefined
    ended?.end()
  }

  function user(parts: readonly UserPart[]): void {
    begin('user')
    const files = parts.flatMap((part) => (part.type === 'file' ? [`[${part.name ?? part.mediaType}]`] : []))
    const text = [textOf(parts), ...files].filter((one) => one !== '').join('\n')
    const wrapper = createWrapper(width, write)
    shownText(text)
      .split('\n')
      .forEach((line, at) => {
        wrapper.begin(at === 0 ? '› ' : '  ', '  ', (prompt) => paint('bold', prompt))
        wrapper.add(line, (words) => paint('bold', words))
        wrapper.newLine()
      })
  }

  /** The text of a turn counts no more: it is said again, perhaps in other words. */
  function forget(which: number, why: string): void {
    writing = undefined
    if (which === turn && shown !== '') say(why, 'dim')
    shown = ''
  }

  function assistant({ content, own }: AssistantMessage): void {
    const text = textOf(content)
    if (own) told += text
    if (text.startsWith(shown)) addText(text.slice(shown.length))
    else {
      if (!own) say('What was stored differs from what came; this is what was stored:', 'dim')
      endText()
      addText(text)
    }
    endText()
    shown = ''
    writing = undefined
  }

  function result({ data }: Extract<WireEvent, { type: 'tool.result' }>): void {
    const call = calls.get(data.callId) ?? { callId: data.callId, name: data.name, args: {} }
    running.delete(data.callId)
    later.delete(data.callId)
    const { outcome, code, durationMs, content } = data
    begin('call')
    const isOutput = outcome === 'ok' || outcome === 'error' || outcome === 'timeout'
    const words = isOutput || content === undefined ? {} : { words: firstSentence(content) }
    const how = { outcome, durationMs, ...(code !== undefined && { code }), ...words, settle: SETTLE }
    write(`${callLine(call, how, width(), paint)}\n`)
    if (!outputs() || content === undefined || !isOutput) return
    const lines = shownText(content).split('\n')
    for (const line of lines.slice(0, MOST_OUTPUT_LINES)) write(`${laidOut(`  ${line}`, 'dim')}\n`)
    if (lines.length > MOST_OUTPUT_LINES) say(`  … and ${lines.length - MOST_OUTPUT_LINES} more lines`, 'dim', 'call')
  }

  function ended({ data, at, requestId }: Extract<WireEvent, { type: 'round.ended' }>): void {
    const took = open?.requestId === requestId ? ` · ${duration(Date.parse(at) - open.startedAt)}` : ''
    open = undefined
    running.clear()
    later.clear()
    pending.clear()
    writing = undefined
    const { finishReason, usage, cost, error } = data
    const line = `${endWords(finishReason)}${took} · ${money(cost, usage)} · #${seq}`
    say(line, finishReason === 'complete' ? 'dim' : finishReason === 'error' ? 'bad' : 'careful', 'end')
    if (error !== undefined && !told.includes(error)) say(error, undefined, 'end')
    told = ''
    const help = ADVICE[finishReason]
    if (help !== undefined) say(help, undefined, 'end')
  }

  /** A notice that the answer repeats is told once. */
  function tellNotices(next: WireEvent): void {
    if (next.type === 'notice' || next.type === 'turn.ended' || next.type === 'phase.ended') return
    const answer = next.type === 'message.assistant' && next.data.own ? textOf(next.data.content) : ''
    const said = notices.filter((text) => !answer.includes(text))
    notices = []
    for (const text of said) say(text, 'dim')
  }

  function state(next: OpenRound['state']): void {
    if (open) open.state = next
  }

  function see(event: WireEvent): void {
    if (event.seq <= seq) return
    seq = event.seq
    tellNotices(event)
    switch (event.type) {
      case 'round.started':
        open = { requestId: event.data.requestId, startedAt: Date.parse(event.at), state: 'running' }
        return
      case 'message.user':
        if (event.requestId === null || echoes(event.requestId)) user(event.data.content)
        return
      case 'turn.started':
        turn = event.data.turn
        shown = ''
        return
      case 'turn.retried': {
        const { shown: wasShown, reason, waitMs, attempt } = event.data
        if (wasShown) forget(event.data.turn, 'That answer broke off; the model is asked again.')
        else say(`No answer: ${oneLine(reason)}. Asked again in ${duration(waitMs)} (attempt ${attempt + 1}).`, 'dim')
        return
      }
      case 'message.assistant':
        return assistant(event.data)
      case 'tool.call':
        calls.set(event.data.callId, event.data)
        return
      case 'tool.started':
        running.add(event.data.callId)
        endText()
        return
      case 'tool.submitted':
        running.delete(event.data.callId)
        later.add(event.data.callId)
        return
      case 'tool.result':
        return result(event)
      case 'approval.requested':
        pending.add(event.data.approvalId)
        return
      case 'approval.decided':
        pending.delete(event.data.approvalId)
        return
      case 'round.waiting':
        return state('waiting')
      case 'round.paused':
        say('Paused. It goes on with: /resume', 'careful')
        return state('paused')
      case 'round.resumed':
        forget(event.data.turn, 'That answer broke off; it starts again.')
        return state('running')
      case 'round.ended':
        if (event.data.unstarted) return say('A message that waited was cancelled.', 'dim')
        return ended(event)
      case 'notice':
        return void notices.push(event.data.text)
      case 'context.cleared':
        return say('Cleared: the model has forgotten everything up to here; the log has not.', 'dim')
      case 'message.deleted':
        return say('A message was deleted.', 'dim')
      default:
        return
    }
  }

  return {
    see(frame: ChatFrame): void {
      if (frame.kind === 'event') return see(frame.event)
      if (frame.kind === 'reset') return forget(frame.turn, 'That answer broke off; it starts again.')
      const { kind, offset, text, name } = frame.delta
      if (kind === 'args') writing = name
      if (kind !== 'text' || offset > shown.length) return
      const more = text.slice(shown.length - offset)
      shown += more
      addText(more)
    },
    say,
    get open() {
      return open
    },
    /** calls that are running */
    get running(): readonly ShownCall[] {
      return [...running].flatMap((id) => calls.get(id) ?? [])
    },
    /** calls whose result comes later */
    get later(): readonly ShownCall[] {
      return [...later].flatMap((id) => calls.get(id) ?? [])
    },
    /** ids of approvals nobody has decided yet, in the order they were asked */
    get pending(): readonly string[] {
      return [...pending]
    },
    /** a call that is being written */
    get writing() {
      return writing
    },
    /** the number of the last event */
    get seq() {
      return seq
    },
  }
}

/** The rest of what Segno says about a call is meant for the model. */
const firstSentence = (text: string): string => /^(.*?[.!?])(?:\s|$)/s.exec(text)?.[1] ?? text
