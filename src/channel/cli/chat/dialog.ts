import { fieldsOf, type Client, type Decision, type Field } from '../../../client/index.ts'
import type { ApprovalDecided } from '../../../contract/call-events.ts'
import type { Json } from '../../../contract/message.ts'
import { Problem } from '../../../contract/problem.ts'
import { askedLines, choiceOf, choicesText, detailsText, labelled, type Asked } from './approval-text.ts'
import type { Paint, Tint } from './paint.ts'
import { fieldText, readTyped } from './question-fields.ts'
import type { Span } from './shown-lines.ts'
import type { Transcript } from './transcript.ts'

/** A question above the input line. */
export interface Prompt {
  readonly openedAt: number
  /** the field to fill in; undefined while a key is expected */
  readonly field: Field | undefined
  readonly choices: string
  lines(width: number, most: number): readonly string[]
  /** Takes a key or, in a terminal without raw mode, a line. */
  choose(text: string): Promise<void>
  fill(text: string): Promise<void>
  /** Goes one step back, without deciding anything. */
  back(): void
}

export type Dialog = ReturnType<typeof createDialog>

export interface DialogOptions {
  readonly api: Pick<Client, 'decide' | 'tools'>
  /** questions are drawn under the transcript instead of written into it */
  readonly isLive: boolean
  readonly paint: Paint
  width(): number
  say: Transcript['say']
  put: Transcript['put']
}

export interface Position {
  /** such as "2 of 3" */
  readonly place: string | undefined
  /** how many can be approved at once */
  readonly several: number
}

const MOST_FILLED = 6

/** Asks a person about a call, or on behalf of a running call. */
export function createDialog(asked: Asked, options: DialogOptions, position: () => Position) {
  const { api, isLive, paint, width, say, put } = options
  let content: Record<string, Json> = {}
  let fields: Field[] = []
  let at = 0
  let openedAt = 0
  let sent: Decision | undefined
  let isOver = false
  /** the details were written above, so the question is drawn short */
  let isAbove = false
  let filled: Span[] = []
  let drawn = { for: '', lines: [] as readonly string[] }
  ask()

  function ask(): void {
    content = {}
    fields = []
    filled = []
    at = 0
    sent = undefined
    openedAt = Date.now()
    if (isLive) return
    putWhole()
    say(choicesText(asked, position().several), undefined, 'ask')
  }

  function putWhole(): void {
    put(askedLines(asked, { width: width(), paint, place: position().place }), 'ask')
    isAbove = isLive
  }

  function note(text: string, tint?: Tint): void {
    // Only the last problem is told: what is asked for stays in sight.
    if (filled.at(-1)?.[1] === 'careful') filled.pop()
    if (isLive) filled.push([text, tint])
    else say(`  ${text}`, tint, 'ask')
  }

  /** The transcript reports the decision once it is in the log; if it was not stored, the question is asked again. */
  async function decide(decision: Decision): Promise<void> {
    sent = decision
    try {
      await api.decide(asked.id, decision)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      if (isOver) return
      isOver = error.code === 'CONFLICT' || error.code === 'NOT_FOUND'
      say(error.message, 'bad', 'ask')
      if (isOver) return
      say('Nothing is decided yet:', 'bad', 'ask')
      ask()
    }
  }

  async function next(): Promise<void> {
    const field = fields[at]
    if (field) return note(fieldText(field))
    await decide({ decision: 'approve', content })
  }

  async function choose(text: string): Promise<void> {
    switch (choiceOf(text, asked)) {
      case 'approve':
        if (!asked.isQuestion) return decide({ decision: 'approve' })
        fields = fieldsOf(asked.args['schema'])
        return next()
      case 'session':
        return decide({ decision: 'approve', remember: 'session' })
      case 'deny':
        return decide({ decision: 'deny' })
      case 'details': {
        const tool = (await api.tools()).find(({ name }) => name === asked.tool)
        if (isLive && !isAbove) putWhole()
        return say(detailsText(asked, tool?.effect), undefined, 'ask')
      }
      case 'whole':
        return putWhole()
      case 'all':
      case undefined:
        return
    }
  }

  async function fill(text: string): Promise<void> {
    const field = fields[at]
    if (!field) return
    const { value, problem } = readTyped(field, text)
    if (problem !== undefined) return note(problem, 'careful')
    if (value !== undefined) content[field.name] = value
    note(`${field.name}: ${value === undefined ? 'none' : JSON.stringify(value)}`, 'dim')
    at += 1
    await next()
  }

  const dialog = {
    asked,
    choose,
    fill,
    get openedAt() {
      return openedAt
    },
    get field() {
      return fields[at]
    },
    get choices() {
      return choicesText(asked, position().several)
    },
    /** a decision was sent, or somebody else decided */
    get isAnswered() {
      return sent !== undefined || isOver
    },
    lines(columns: number, most: number): readonly string[] {
      const { place } = position()
      const below = filled
        .slice(-MOST_FILLED)
        .flatMap(([text, tint]) => labelled('  ', text, columns, paint, tint))
        .slice(-Math.floor(most / 2))
      const room = most - below.length
      const key = `${columns} ${room} ${place} ${isAbove}`
      if (drawn.for !== key)
        drawn = { for: key, lines: askedLines(asked, { width: columns, paint, most: room, place, isAbove }) }
      return [...drawn.lines, ...below]
    },
    back(): void {
      if (fields.length > 0) ask()
    },
    /** The decision is in the log. */
    decided({ decision, remember }: ApprovalDecided): void {
      const isOurs = sent?.decision === decision && sent.remember === remember
      if (!isOver && !isOurs && decision !== 'stale')
        say('Somebody else decided that, or it was too late.', 'dim', 'ask')
      isOver = true
    },
  }
  return dialog satisfies Prompt & typeof dialog
}
