import type { MeView, NewSession, Session } from '../../../client/index.ts'
import { Problem } from '../../../contract/problem.ts'
import type { Reached } from '../reach.ts'
import { waitingWords } from './approval-text.ts'
import { createAsking } from './asking.ts'
import { createChatSession } from './chat-session.ts'
import { readTyped, unknownWords } from './command-table.ts'
import { edit, newEditor, remember, withText } from './editor.ts'
import { isRefusal } from './first-message.ts'
import type { Key } from './keys.ts'
import { createLeaving, leftBehind } from './leaving.ts'
import { doingWords, liveLines, type Scene } from './live-lines.ts'
import type { Paint } from './paint.ts'
import type { AnswerOptions } from './param-words.ts'
import { runCommand, type Conversation } from './run-command.ts'
import type { Screen } from './screen.ts'
import { createSender } from './sender.ts'
import type { Transcript } from './transcript.ts'

export interface ConversationOptions {
  readonly reached: Reached
  readonly me: MeView
  /** of new sessions */
  readonly params: AnswerOptions
  readonly place: Pick<NewSession, 'workspaceId'>
  readonly screen: Screen
  readonly paint: Paint
  /** the terminal sends single keys and can move its cursor */
  readonly isLive: boolean
  /** Remembers the session for the next start. */
  keep(sessionId: string): void
}

export type ChatConversation = ReturnType<typeof createConversation>

/** A key answers a question only after a pause in typing, and after the question could be read. */
const TYPING_MS = 600
const TICK_MS = 100

/** Connects keys, frames and the screen. */
export function createConversation(options: ConversationOptions) {
  const { reached, me, params, place, screen, paint, isLive, keep } = options
  const api = reached.client
  const left = Promise.withResolvers<void>()
  const preferences: Conversation['preferences'] = { ...params, ...place }
  let editor = newEditor()
  let fieldEditor = newEditor()
  let offered: readonly Session[] = []
  let hint: string | undefined
  let mayLeave = false
  let isLeaving = false
  let isLastInput = false
  let lastKeyAt = 0

  const shared = { api, screen, paint, isLive, say, background }
  const session = createChatSession({
    ...shared,
    preferences,
    keep,
    // Without raw mode the terminal itself has echoed our message.
    echoes: (requestId) => isLive || !sender.isMine(requestId),
    seen(frame) {
      asking.look(frame)
      if (frame.kind === 'event' && frame.event.type === 'round.ended') ended(frame.event.requestId ?? '')
      leaving.look()
      draw()
    },
    lost() {
      hint = undefined
      putBack(sender.forget())
    },
  })
  const asking = createAsking({
    ...shared,
    width: screen.width,
    put: (lines, kind) => session.transcript.put(lines, kind),
    transcript: () => session.transcript,
  })
  const sender = createSender({
    ...shared,
    session: session.idFor,
    isRoundOpen: () => session.transcript.open !== undefined,
    async failed(text, problem) {
      try {
        if (isRefusal(problem)) await session.takeBack()
      } finally {
        const where = isLive ? '; it is in the line below, Enter tries again' : ''
        say(`${problem.message.replace(/[^.!?]$/, '$&.')} Your message was not sent${where}.`, 'bad')
        putBack(text)
        if (isLastInput) leave()
      }
    },
  })
  const leaving = createLeaving({
    left: () => leftBehind(session.transcript, sender, reached.server === undefined),
    say,
    leave,
  })
  const ticking = setInterval(draw, TICK_MS)

  function say(...words: Parameters<Transcript['say']>): void {
    session.transcript.say(...words)
    draw()
  }

  const isBusy = (): boolean => sender.since !== undefined || session.transcript.open !== undefined
  const isQuestionSeen = (): boolean => Date.now() - Math.max(lastKeyAt, asking.prompt?.openedAt ?? 0) >= TYPING_MS

  /** Puts an unsent message back, before what was typed since. */
  function putBack(text: string): void {
    if (text !== '') editor = withText(editor, editor.text === '' ? text : `${text}\n${editor.text}`)
  }

  function draw(): void {
    if (!isLeaving) screen.show(liveLines(scene(), Date.now(), screen.width(), screen.rows, paint))
  }

  function scene(): Scene {
    const { prompt: asked } = asking
    const field = asked?.field
    const since = sender.since ?? session.transcript.open?.startedAt
    const prompt = field
      ? `${field.name} ›`
      : offered.length > 0
        ? 'number ›'
        : commands.mode === 'plan'
          ? 'plan ›'
          : '›'
    const isAnswerable = asked && !field && isQuestionSeen()
    return {
      ...(since !== undefined && !asked && { busy: { sinceMs: since, doing: doingWords(sender, session.transcript) } }),
      running: asked ? [] : session.transcript.running,
      queue: sender.queue,
      hint,
      question: asked && { lines: asked.lines, ...(isAnswerable && { choices: asked.choices }) },
      input: { ...(field ? fieldEditor : editor), prompt },
    }
  }

  /** Problems are shown; any other error is a bug and ends the chat. */
  function background(work: Promise<void>): void {
    work
      .catch((error: unknown) => {
        if (!(error instanceof Problem)) throw error
        say(error.message, 'bad')
      })
      .then(draw, (bug: unknown) => {
        left.reject(bug)
        leave()
      })
  }

  function ended(requestId: string): void {
    hint = undefined
    sender.ended(requestId)
    if (isLastInput && !isBusy()) leave()
  }

  async function open(chosen: Session): Promise<void> {
    const { text, cursor } = editor
    editor = { ...newEditor(await session.open(chosen)), text, cursor }
  }

  function submit(text: string): void {
    if (offered.length > 0 && !text.startsWith('/')) return pick(text.trim())
    offered = []
    if (text.trim() === '') return
    editor = remember(editor, text)
    const typed = readTyped(text)
    if (isLive && typed.kind !== 'message') say(`› ${text}`, 'dim', 'user')
    if (typed.kind === 'unknown') say(unknownWords(typed), 'careful')
    else if (typed.kind === 'command') background(runCommand(commands, typed.name, typed.rest))
    else sender.send(text, commands.mode)
  }

  function pick(text: string): void {
    const chosen = offered[Number(text) - 1]
    offered = []
    editor = newEditor(editor.history)
    if (chosen) background(api.session(chosen.id).then(open))
    else if (text !== '') say(`There is no ${text} in the list; nothing was changed.`, 'careful')
  }

  function interrupt(): void {
    if (leaving.isWaiting || (isBusy() && sender.isStopping)) return leave()
    const { pending } = session.transcript
    if (asking.isStopAsked) {
      say(
        `Nothing was stopped or decided. This waits for you, and segno chat asks again: ${waitingWords(pending)}`,
        'careful',
      )
      return leave()
    }
    if (pending.length > 0) asking.confirmStop(stop)
    else if (isBusy()) stop()
    else if (offered.length > 0) offered = []
    else if (editor.text !== '') editor = newEditor(editor.history)
    else if (mayLeave) return leave()
    else {
      mayLeave = true
      hint = 'Ctrl-C again leaves.'
    }
    draw()
  }

  function stop(): void {
    const { pending, open: round } = session.transcript
    if (pending.length > 0) say(`Stopping. This will not run: ${waitingWords(pending)}`, 'careful')
    hint = 'Stopping. Ctrl-C again leaves.'
    putBack(sender.stop(round?.requestId))
  }

  function leave(): void {
    leaving.end()
    isLeaving = true
    clearInterval(ticking)
    session.leave()
    left.resolve()
  }

  function key(pressed: Key): void {
    if (isLeaving) return
    if (pressed.name === 'interrupt') return interrupt()
    mayLeave = false
    if (!sender.isStopping) hint = undefined
    const { prompt } = asking
    if (pressed.name === 'endOfInput' && editor.text === '' && !prompt?.field) leaving.quit()
    else if (pressed.name === 'redraw') screen.clear()
    else if (pressed.name === 'escape') prompt?.back()
    else if (prompt && !prompt.field && isQuestionSeen()) {
      if (pressed.name === 'text') background(asking.choose(pressed.text))
    } else if (!leaving.isWaiting) write(pressed)
    draw()
  }

  function write(pressed: Key): void {
    lastKeyAt = Date.now()
    const filled = asking.prompt?.field && asking.prompt
    const { editor: next, submit: text } = edit(filled ? fieldEditor : editor, pressed)
    if (!filled) editor = next
    else fieldEditor = text === undefined ? next : newEditor()
    if (text === undefined) return
    if (filled) background(filled.fill(text))
    else submit(text)
  }

  const commands: Conversation = {
    api,
    me,
    session,
    mode: 'act',
    preferences,
    isBusy,
    say,
    open,
    quit: leaving.quit,
    offer(sessions) {
      offered = sessions
      if (!isLive) say('Type a number to go on with one, or Enter to stay.', 'dim')
    },
  }

  return {
    key,
    interrupt,
    leave,
    say,
    open,
    /** Resolves when the person leaves, rejects after a bug. */
    left: left.promise,
    /** Takes a whole line, where single keys cannot be read. */
    line(text: string): void {
      mayLeave = false
      const { prompt } = asking
      if (prompt?.field) background(prompt.fill(text))
      else if (prompt && isQuestionSeen()) background(asking.choose(text.trim()))
      else if (prompt && text.trim().length === 1)
        say('That came before the question could be read. Please answer it again.', 'careful', 'ask')
      else submit(text)
    },
    /** The input has ended: leaves once nothing runs. */
    finish(): void {
      isLastInput = true
      if (!isBusy()) leave()
    },
    resized(): void {
      draw()
      screen.resized()
    },
  }
}
