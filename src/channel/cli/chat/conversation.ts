import { Problem } from '../../../contract/problem.ts'
import type { Reached } from '../reach.ts'
import { isRefusal, type Api, type Me, type Session } from './api.ts'
import { choiceOf, choicesText } from './approval-text.ts'
import { createAsking } from './asking.ts'
import { createChatSession } from './chat-session.ts'
import { readTyped } from './command-table.ts'
import { edit, newEditor, remember, withText } from './editor.ts'
import type { Key } from './keys.ts'
import { createLeaving, type Left } from './leaving.ts'
import { doingWords, liveLines, type Scene } from './live-lines.ts'
import type { Paint } from './paint.ts'
import { runCommand, type Conversation } from './run-command.ts'
import type { Screen } from './screen.ts'
import { createSender } from './sender.ts'
import type { Transcript } from './transcript.ts'

export interface ConversationOptions {
  readonly reached: Reached
  readonly api: Api
  readonly me: Me
  readonly screen: Screen
  readonly paint: Paint
  /** the terminal is read key by key and can move its cursor */
  readonly isLive: boolean
  keep(sessionId: string): void
}

export type ChatConversation = ReturnType<typeof createConversation>

/** Who is typing, or has had no time to read a question, does not answer it with their next letter. */
const TYPING_MS = 600
const TICK_MS = 100

/** A conversation at a terminal: keys and frames in, the screen out. */
export function createConversation(options: ConversationOptions) {
  const { reached, api, me, screen, paint, isLive, keep } = options
  const left = Promise.withResolvers<void>()
  const wished: Conversation['wished'] = {}
  let editor = newEditor()
  /** for the fields of a question */
  let filling = newEditor()
  let offered: readonly Session[] = []
  let hint: string | undefined
  let mayLeave = false
  let isLeaving = false
  let isLastInput = false
  let lastKeyAt = 0

  const session = createChatSession({
    reached,
    api,
    screen,
    paint,
    wished,
    keep,
    say,
    background,
    // A terminal that echoes what is typed has shown it already.
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
  const asking = createAsking({ api, isLive, say, background, transcript: () => session.transcript })
  const sender = createSender({
    api,
    background,
    session: session.idFor,
    isRoundOpen: () => session.transcript.open !== undefined,
    async failed(text, problem) {
      try {
        if (isRefusal(problem)) await session.takeBack()
      } finally {
        const where = isLive ? '; it is in the line below, Enter tries again' : ''
        say(`${problem.message} Your message was not sent${where}.`, 'bad')
        putBack(text)
        if (isLastInput) leave()
      }
    },
  })
  const leaving = createLeaving({ left: whatIsLeft, say, leave })
  const ticking = setInterval(draw, TICK_MS)

  function say(...words: Parameters<Transcript['say']>): void {
    session.transcript.say(...words)
    draw()
  }

  const isBusy = (): boolean => sender.since !== undefined || session.transcript.open !== undefined
  /** whether a question has been seen by whoever presses a key now */
  const isSeen = (): boolean => Date.now() - Math.max(lastKeyAt, asking.dialog?.openedAt ?? 0) >= TYPING_MS

  /** What was not sent stands in front of what has been written since. */
  function putBack(text: string): void {
    if (text !== '') editor = withText(editor, editor.text === '' ? text : `${text}\n${editor.text}`)
  }

  function draw(): void {
    if (!isLeaving) screen.show(liveLines(scene(), Date.now(), screen.width(), screen.rows, paint))
  }

  function scene(): Scene {
    const { dialog } = asking
    const field = dialog?.field
    const isAsked = dialog !== undefined && !field
    const since = sender.since ?? session.transcript.open?.startedAt
    const prompt = field ? `${field.name} ›` : offered.length > 0 ? 'number ›' : '›'
    return {
      ...(since !== undefined &&
        !isAsked && { busy: { sinceMs: since, doing: doingWords(sender, session.transcript) } }),
      running: isAsked ? [] : session.transcript.running,
      queue: sender.queue,
      hint,
      ...(isAsked && isSeen() && { question: choicesText(dialog.asked) }),
      input: { ...(field ? filling : editor), prompt },
    }
  }

  /** Everything that takes time passes here: a problem is told, anything else is a bug and ends the chat. */
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

  /** Goes on with a session. */
  async function open(chosen: Session): Promise<void> {
    const { text, cursor } = editor
    editor = { ...newEditor(await session.open(chosen)), text, cursor }
  }

  function submit(text: string): void {
    if (offered.length > 0) return pick(text.trim())
    if (text.trim() === '') return
    editor = remember(editor, text)
    const typed = readTyped(text)
    if (isLive && typed.kind !== 'message') say(`› ${text}`, 'dim', 'user')
    if (typed.kind === 'unknown')
      say(`There is no /${typed.name}. Did you mean /${typed.nearest}? /help lists them all.`, 'careful')
    else if (typed.kind === 'command') background(runCommand(commands, typed.name, typed.rest))
    else sender.send(text)
  }

  function pick(text: string): void {
    const chosen = offered[Number(text) - 1]
    offered = []
    editor = newEditor(editor.history)
    if (chosen) background(api.session(chosen.id).then(open))
    else if (text !== '') say(`There is no ${text} in the list; nothing was changed.`, 'careful')
  }

  function interrupt(): void {
    if (leaving.isWaiting) return leave()
    if (isBusy()) {
      if (sender.isStopping) return leave()
      hint = 'Stopping. Ctrl-C again leaves.'
      putBack(sender.stop(session.transcript.open?.requestId))
    } else if (offered.length > 0) offered = []
    else if (editor.text !== '') editor = newEditor(editor.history)
    else if (mayLeave) return leave()
    else {
      mayLeave = true
      hint = 'Ctrl-C again leaves.'
    }
    draw()
  }

  function whatIsLeft(): Left {
    const { pending, running, later, open: round } = session.transcript
    const state = later.length > 0 ? 'result' : round?.state
    return {
      isHere: reached.server === undefined,
      round: pending.length > 0 ? 'waiting' : (state ?? (isBusy() ? 'running' : undefined)),
      running: running.map(({ name }) => name),
      queued: sender.queue.length,
    }
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
    const { dialog } = asking
    if (pressed.name === 'endOfInput' && editor.text === '' && !dialog?.field) leaving.quit()
    else if (pressed.name === 'redraw') screen.clear()
    else if (dialog && !dialog.field && isSeen()) {
      if (pressed.name === 'text') background(dialog.choose(pressed.text))
    } else if (!leaving.isWaiting) write(pressed)
    draw()
  }

  function write(pressed: Key): void {
    lastKeyAt = Date.now()
    const dialog = asking.dialog?.field && asking.dialog
    const { editor: next, submit: text } = edit(dialog ? filling : editor, pressed)
    if (!dialog) editor = next
    else filling = text === undefined ? next : newEditor()
    if (text === undefined) return
    if (dialog) background(dialog.fill(text))
    else submit(text)
  }

  const commands: Conversation = {
    api,
    me,
    wished,
    say,
    open,
    quit: leaving.quit,
    begin: session.begin,
    toggleOutputs: session.toggleOutputs,
    get session() {
      return session.id
    },
    get seq() {
      return session.transcript.seq
    },
    get isBusy() {
      return isBusy()
    },
    get paused() {
      const { open: round } = session.transcript
      return round?.state === 'paused' ? round.requestId : undefined
    },
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
    /** Resolves when somebody leaves; rejects if it cannot go on. */
    left: left.promise,
    /** A whole line, where keys cannot be read. */
    line(text: string): void {
      mayLeave = false
      const { dialog } = asking
      if (dialog?.field) background(dialog.fill(text))
      else if (dialog && isSeen()) background(dialog.choose(text.trim()))
      else if (dialog && choiceOf(text.trim(), dialog.asked))
        say('That came before the question could be read. Please answer it again.', 'careful', 'ask')
      else submit(text)
    },
    /** No more input will come: leaves when nothing runs. */
    finish(): void {
      isLastInput = true
      if (!isBusy()) leave()
    },
    resized(): void {
      screen.resized()
      draw()
    },
  }
}
