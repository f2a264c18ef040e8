import type { Frame, WireEvent, WireEventOf } from '../../../client/index.ts'
import type { ApprovalDecided, ApprovalRequested } from '../../../contract/call-events.ts'
import type { AssistantMessage } from '../../../contract/event.ts'
import type { CitedView } from '../../../contract/views.ts'
import { CONTINUED, textOf, type UserPart } from '../../../contract/message.ts'
import { aboutWords, labelled } from './approval-text.ts'
import { callLine, type ShownCall } from './call-line.ts'
import { citedLines } from './cited.ts'
import { columnsOf } from './columns.ts'
import { createMarkdownWriter, type MarkdownOptions } from './markdown.ts'
import type { Tint } from './paint.ts'
import { rememberedLines } from './remembered.ts'
import { oneLine, shownText } from './safe-text.ts'
import { createTurnText } from './turn-text.ts'
import { ADVICE, decisionWords, duration, endWords, money } from './words.ts'
import { createWrapper, wrapped } from './wrap.ts'

export interface OpenRound {
  readonly requestId: string
  readonly startedAt: number
  readonly isPlan: boolean
  state: 'running' | 'waiting' | 'paused'
  /** what it waits for, and since when */
  waiting?: { readonly what: WireEventOf<'round.waiting'>['data']['for']; readonly since: string }
}

export type Transcript = ReturnType<typeof createTranscript>

export interface TranscriptOptions extends MarkdownOptions {
  /** the last event that was already shown */
  readonly after?: number
  /** there is text above */
  readonly isContinued?: boolean
  /** whether to show tool outputs */
  readonly outputs: () => boolean
  /** whether to show the user's message of this round */
  readonly echoes: (requestId: string) => boolean
}

/** An empty line separates kinds. */
type Kind = 'user' | 'text' | 'call' | 'ask' | 'note' | 'end'
const MOST_OUTPUT_LINES = 200
/** A command of the chat: others cannot open the database while this process has it. */
const SETTLE = (callId: string): string => `/reconcile ${callId} yes|no`

/** Turns frames into text for a terminal, which is only ever appended to. */
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
  const pending = new Map<string, ApprovalRequested>()
  const turnText = createTurnText(() => {
    begin('text')
    return createMarkdownWriter({ width, paint, write })
  })
  let turn = 0
  let last: Kind | undefined = isContinued ? 'end' : undefined
  /** what Segno itself has said in this round */
  let told = ''
  let notices: string[] = []

  function begin(kind: Kind): void {
    turnText.pause()
    if (last !== undefined && (last !== kind || kind === 'user')) write('\n')
    last = kind
  }

  function say(text: string, tint?: Tint, kind: Kind = 'note'): void {
    begin(kind)
    for (const line of text.split('\n')) write(`${laidOut(shownText(line), tint)}\n`)
  }

  /** Writes lines that already fit the width. */
  function put(lines: readonly string[], kind: Kind): void {
    begin(kind)
    for (const line of lines) write(`${line}\n`)
  }

  function decided(data: ApprovalDecided): void {
    const asked = pending.get(data.approvalId)
    if (!asked) return
    pending.delete(data.approvalId)
    const { tool, target, question } = asked
    const end = ` · ${decisionWords(data, question !== undefined)}`
    const about = aboutWords({ tool, target: question?.message ?? target }, Math.max(width() - 2 - columnsOf(end), 20))
    put(labelled('? ', about + end, width(), paint, data.decision === 'approve' ? 'dim' : 'careful'), 'ask')
  }

  function laidOut(line: string, tint?: Tint): string {
    const [indent = ''] = /^ */.exec(line) ?? []
    // After a label, further lines align with the text beside it.
    const [front = ''] = /^ +\S+ {2,}/.exec(line) ?? []
    const others = ' '.repeat(Math.min(Math.max(front.length, indent.length), Math.floor(width() / 2)))
    return wrapped(line.slice(indent.length), width, indent, others, (text) => (tint ? paint(tint, text) : text))
  }

  function user(parts: readonly UserPart[]): void {
    begin('user')
    const files = parts.flatMap((part) => (part.type === 'file' ? [`[${part.name ?? part.mediaType}]`] : []))
    const text = [textOf(parts), ...files].filter((one) => one !== '').join('\n')
    const wrapper = createWrapper(width, write)
    shownText(text)
      .split('\n')
      .forEach((line, at) => {
        wrapper.begin(at > 0 ? '  ' : open?.isPlan ? 'plan › ' : '› ', '  ', (prompt) => paint('bold', prompt))
        wrapper.add(line, (words) => paint('bold', words))
        wrapper.newLine()
      })
  }

  /** The turn is repeated, perhaps with another text. */
  function restart(which: number, why: string): void {
    writing = undefined
    if (which === turn && turnText.isShown) say(why, 'dim')
    turnText.restart()
  }

  function assistant(message: AssistantMessage, cited: readonly CitedView[]): void {
    const { content, own, files = [], sources = [], remembers } = message
    const text = textOf(content)
    if (own) told += text
    turnText.finish(text, () => {
      if (!own) say('What was stored differs from what came; this is what was stored:', 'dim')
    })
    writing = undefined
    for (const { mediaType, bytes } of files) say(`It made a file: ${oneLine(mediaType)}, ${bytes} bytes.`, 'dim')
    for (const { title, url } of sources) say(`Source: ${oneLine([title, url].filter(Boolean).join(' '))}`, 'dim')
    if (cited.length > 0)
      put(
        ['Sources:', ...citedLines(cited, width())].map((line) => paint('dim', line)),
        'note',
      )
    for (const line of rememberedLines(remembers)) say(line, 'dim')
  }

  function result({ data }: Extract<WireEvent, { type: 'tool.result' }>): void {
    const call = calls.get(data.callId) ?? { callId: data.callId, name: data.name, args: {} }
    running.delete(data.callId)
    later.delete(data.callId)
    const { outcome, content } = data
    begin('call')
    const isOutput = outcome === 'ok' || outcome === 'error' || outcome === 'timeout'
    const words = isOutput || content === undefined ? {} : { words: firstSentence(content) }
    write(`${callLine(call, { ...data, ...words, settle: SETTLE }, width(), paint)}\n`)
    if (!outputs() || content === undefined || !isOutput) return
    const lines = shownText(content).split('\n')
    for (const line of lines.slice(0, MOST_OUTPUT_LINES)) write(`${laidOut(`  ${line}`, 'dim')}\n`)
    if (lines.length > MOST_OUTPUT_LINES) say(`  … and ${lines.length - MOST_OUTPUT_LINES} more lines`, 'dim', 'call')
  }

  /** The call was over when its result came; nobody would look for it in the log. */
  function lateResult({ callId, happened }: { callId: string; happened: boolean }): void {
    const name = oneLine(calls.get(callId)?.name ?? 'An earlier call')
    say(`${name}: its result came after all. It did ${happened ? '' : 'not '}happen.`, 'careful')
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

  /** Notices are held back until it is known whether the answer repeats them. */
  function tellNotices(next: WireEvent): void {
    if (next.type === 'notice' || next.type === 'turn.ended' || next.type === 'phase.ended') return
    const answer = next.type === 'message.assistant' && next.data.own ? textOf(next.data.content) : ''
    const said = notices.filter((text) => !answer.includes(text))
    notices = []
    for (const text of said) say(text, 'dim')
  }

  function state(next: OpenRound['state']): void {
    if (!open) return
    open.state = next
    delete open.waiting
  }

  /** Told anew when a part of what it waited for came; it has waited since the first time. */
  function waits(what: WireEventOf<'round.waiting'>['data']['for'], at: string): void {
    if (!open) return
    const since = open.waiting?.since ?? at
    open.state = 'waiting'
    open.waiting = { what, since }
  }

  function see(event: WireEvent, cited: readonly CitedView[]): void {
    if (event.seq <= seq) return
    seq = event.seq
    tellNotices(event)
    switch (event.type) {
      case 'round.started':
        open = {
          requestId: event.data.requestId,
          startedAt: Date.parse(event.at),
          isPlan: event.data.mode === 'plan',
          state: 'running',
        }
        return
      case 'message.user':
        if (event.data.own) return say(CONTINUED, 'dim', 'user')
        if (event.requestId === null || echoes(event.requestId)) user(event.data.content)
        return
      case 'turn.started':
        turn = event.data.turn
        return turnText.restart()
      case 'turn.retried': {
        const { shown: wasShown, reason, waitMs, attempt } = event.data
        if (wasShown) restart(event.data.turn, 'That answer broke off; the model is asked again.')
        else say(`No answer: ${oneLine(reason)}. Asked again in ${duration(waitMs)} (attempt ${attempt + 1}).`, 'dim')
        return
      }
      case 'message.assistant':
        return assistant(event.data, cited)
      case 'tool.call':
        calls.set(event.data.callId, event.data)
        return
      case 'tool.started':
        running.add(event.data.callId)
        return turnText.pause()
      case 'tool.submitted':
        running.delete(event.data.callId)
        later.add(event.data.callId)
        return
      case 'tool.result':
        return result(event)
      case 'tool.reconciled':
        return event.data.late ? lateResult(event.data) : undefined
      case 'approval.requested':
        pending.set(event.data.approvalId, event.data)
        return
      case 'approval.decided':
        return decided(event.data)
      case 'round.waiting':
        return waits(event.data.for, event.at)
      case 'round.paused':
        say('Paused. It goes on with: /resume', 'careful')
        return state('paused')
      case 'round.resumed':
        restart(event.data.turn, 'That answer broke off; it starts again.')
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
    /** `cited`: the passages that this event cites */
    see(frame: Frame, cited: readonly CitedView[] = []): void {
      if (frame.kind === 'event') return see(frame.event, cited)
      if (frame.kind === 'reset') return restart(frame.turn, 'That answer broke off; it starts again.')
      const { kind, offset, text, name } = frame.delta
      if (kind === 'args') writing = name
      if (kind === 'text') turnText.add(offset, text)
    },
    say,
    put,
    get open() {
      return open
    },
    get running(): readonly ShownCall[] {
      return [...running].flatMap((id) => calls.get(id) ?? [])
    },
    /** calls that answer later */
    get later(): readonly ShownCall[] {
      return [...later].flatMap((id) => calls.get(id) ?? [])
    },
    /** undecided approvals, oldest first */
    get pending(): readonly ApprovalRequested[] {
      return [...pending.values()]
    },
    /** the tool whose arguments the model is writing */
    get writing() {
      return writing
    },
    get seq() {
      return seq
    },
  }
}

/** What follows it is meant for the model. */
const firstSentence = (text: string): string => /^(.*?[.!?])(?:\s|$)/s.exec(text)?.[1] ?? text
