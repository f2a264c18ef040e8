import type { Client, Frame } from '../../../client/index.ts'
import { Problem } from '../../../contract/problem.ts'
import { aboutWords, askedLines, choiceOf, cutOff, labelled, type Asked } from './approval-text.ts'
import { createDialog, type Position, type Dialog, type DialogOptions, type Prompt } from './dialog.ts'
import type { Span } from './shown-lines.ts'
import type { Transcript } from './transcript.ts'

export interface AskingOptions extends DialogOptions {
  readonly api: Client
  transcript(): Transcript
  background(work: Promise<void>): void
}

/** Asks about one approval after the other; somebody else may decide them meanwhile. */
export function createAsking(options: AskingOptions) {
  const { api, transcript, background, say, put, paint, width, isLive } = options
  const seen = new Set<string>()
  /** answered here, but not in the log yet */
  const answered = new Set<string>()
  /** all approvals since there was none open */
  const batch = new Set<string>()
  let waiting: readonly Asked[] = []
  let open: Dialog | undefined
  let confirm: (Prompt & { readonly about: 'all' | 'stop' }) | undefined
  let isFetching = false
  let isStale = false

  const ids = (): string[] => transcript().pending.map(({ approvalId }) => approvalId)
  const isOpen = (id: string): boolean => !answered.has(id) && ids().includes(id)

  /** Those that may be approved together. */
  const together = (): Asked[] =>
    waiting.filter(({ id, isQuestion, display }) => isOpen(id) && !isQuestion && !display.isDangerous)

  function position(): Position {
    const left = ids()
    for (const id of left) batch.add(id)
    const all = together()
    return {
      place: batch.size > 1 ? `${batch.size - left.length + 1} of ${batch.size}` : undefined,
      several: all.some(({ id }) => id === open?.asked.id) ? all.length : 0,
    }
  }

  /** Fetches again if more were requested meanwhile. */
  async function fetchAll(): Promise<void> {
    isFetching = true
    try {
      do {
        isStale = false
        const known = ids()
        waiting = await api.pendingApprovals()
        openNext(known)
      } while (isStale)
    } finally {
      isFetching = false
    }
  }

  function openNext(known: readonly string[]): void {
    for (const id of known) {
      if (open || seen.has(id) || !isOpen(id)) continue
      seen.add(id)
      const asked = waiting.find((one) => one.id === id)
      // Otherwise it has been decided already.
      if (asked) open = createDialog(asked, options, position)
    }
  }

  async function allow(id: string): Promise<void> {
    answered.add(id)
    try {
      await api.decide(id, { decision: 'approve' })
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      answered.delete(id)
      say(error.message, 'bad', 'ask')
    }
  }

  /** Asks for a confirmation. */
  function ask(about: 'all' | 'stop', text: readonly Span[], choices: string, yes: () => Promise<void> | void): void {
    const back = (): void => void (confirm = undefined)
    if (!isLive) for (const [line, tint] of [...text, [choices] as const]) say(line, tint, 'ask')
    confirm = {
      about,
      choices,
      back,
      // The list must be read first; stopping was asked for with Ctrl-C.
      openedAt: about === 'stop' ? 0 : Date.now(),
      field: undefined,
      fill: () => Promise.resolve(),
      lines(columns, most) {
        const rows = text.flatMap(([line, tint]) => labelled(/^ */.exec(line)?.[0] ?? '', line, columns, paint, tint))
        return cutOff(rows, most, columns, paint, '')
      },
      async choose(typed) {
        const key = typed.toLowerCase()
        if (key === 'y' || key === 'n') back()
        if (key === 'y') await yes()
      },
    }
  }

  async function confirmAll(): Promise<void> {
    waiting = await api.pendingApprovals()
    const all = together()
    if (all.length < 2) return
    for (const [at, asked] of all.entries())
      put(askedLines(asked, { width: width(), paint, place: `${at + 1} of ${all.length}` }), 'ask')
    const list = all.map(({ tool, display }, at) => [`  ${at + 1}. ${tool} ${display.target}`] as const)
    const choices = `[y] yes, all ${all.length}  [n] no, one by one`
    ask('all', [[`? Allow all ${all.length} that are shown above?`, 'bold'], ...list], choices, async () => {
      for (const { id } of all) if (isOpen(id)) await allow(id)
    })
  }

  const dialog = (): Dialog | undefined => (open && !open.isAnswered && isOpen(open.asked.id) ? open : undefined)

  return {
    get prompt(): Prompt | undefined {
      return transcript().pending.length > 0 && confirm ? confirm : dialog()
    },
    get isStopAsked(): boolean {
      return transcript().pending.length > 0 && confirm?.about === 'stop'
    },
    async choose(text: string): Promise<void> {
      const asked = dialog()?.asked
      if (!confirm && asked && choiceOf(text, asked) === 'all' && position().several > 1) return confirmAll()
      await this.prompt?.choose(text)
    },
    /** Asks before stopping a round that has open approvals. */
    confirmStop(stop: () => void): void {
      const text: Span[] = [
        ['? Stop this answer? Nothing is stopped or decided yet. What waits for a decision would not run:', 'bold'],
        ...transcript().pending.map((one) => [`  ${aboutWords(one, LONGEST_ABOUT)}`] as const),
        ['  Ctrl-C again leaves without stopping: it is asked again when you come back.'],
      ]
      ask('stop', text, '[y] yes, stop  [n] no, back to the question', stop)
    },
    /** Called after each frame: closes what was decided and opens what is next. */
    look(frame: Frame): void {
      if (frame.kind === 'event' && frame.event.type === 'approval.decided')
        if (frame.event.data.approvalId === open?.asked.id && !answered.has(open.asked.id))
          open.decided(frame.event.data)
      const left = ids()
      if (open && !left.includes(open.asked.id)) open = undefined
      if (left.length === 0) {
        confirm = undefined
        batch.clear()
        answered.clear()
      }
      const isNew = frame.kind === 'event' && frame.event.type === 'approval.requested'
      if (!isNew && (open || left.every((id) => seen.has(id)))) return
      if (isFetching) isStale = true
      else background(fetchAll())
    },
  }
}

const LONGEST_ABOUT = 300
