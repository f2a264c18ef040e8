import type { ApprovalDecided } from '../../../contract/event.ts'
import type { Json, JsonObject } from '../../../contract/message.ts'
import { Problem } from '../../../contract/problem.ts'
import type { Api } from './api.ts'
import { approvalLines, choiceOf, choicesText, detailsText, type Asked } from './approval-text.ts'
import { expectation, fieldsOf, readField, type Field } from './question-fields.ts'
import type { Transcript } from './transcript.ts'

export type Dialog = ReturnType<typeof createDialog>

export interface DialogOptions {
  readonly api: Pick<Api, 'decide' | 'tools'>
  /** choices are shown under the transcript; elsewhere they are written into it */
  readonly isLive: boolean
  say: Transcript['say']
}

type Decision = Pick<ApprovalDecided, 'decision' | 'remember' | 'content'>

/** Somebody is asked about a call, or by one. */
export function createDialog(asked: Asked, { api, isLive, say }: DialogOptions) {
  let content: Record<string, Json> = {}
  let fields: Field[] = []
  let at = 0
  let openedAt = 0
  let sent: Decision | undefined
  let isOver = false
  ask()

  function ask(): void {
    content = {}
    fields = []
    at = 0
    sent = undefined
    for (const [text, tint] of approvalLines(asked)) say(text, tint, 'ask')
    if (!isLive) say(choicesText(asked), undefined, 'ask')
    openedAt = Date.now()
  }

  /** Nothing is said about it before it is in the log. What did not get there is asked again. */
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
    if (field) return say(`  ${field.title} (${expectation(field)})`, undefined, 'ask')
    await decide({ decision: 'approve', content })
  }

  return {
    asked,
    /** when the question was put */
    get openedAt() {
      return openedAt
    },
    /** what is being filled in; undefined: a yes or no is wanted */
    get field() {
      return fields[at]
    },
    /** nothing is wanted: an answer is on its way, or there is no more to decide */
    get isAnswered() {
      return sent !== undefined || isOver
    },
    /** A key was pressed, or in a terminal without keys a line typed. */
    async choose(text: string): Promise<void> {
      switch (choiceOf(text, asked)) {
        case 'approve':
          if (!asked.isQuestion) return decide({ decision: 'approve' })
          fields = fieldsOf(asked.args['schema'] as JsonObject | undefined)
          return next()
        case 'session':
          return decide({ decision: 'approve', remember: 'session' })
        case 'deny':
          return decide({ decision: 'deny' })
        case 'details': {
          const tool = (await api.tools()).find(({ name }) => name === asked.tool)
          return say(detailsText(asked, tool?.effect), undefined, 'ask')
        }
        case undefined:
          return
      }
    },
    /** A line for the field. */
    async fill(text: string): Promise<void> {
      const field = fields[at]
      if (!field) return
      const { value, fault } = readField(field, text)
      if (fault !== undefined) return say(`  ${fault}`, 'careful', 'ask')
      if (value !== undefined) content[field.name] = value
      say(`  ${field.name}: ${value === undefined ? 'none' : JSON.stringify(value)}`, 'dim', 'ask')
      at += 1
      await next()
    },
    /** The decision is in the log. */
    decided({ decision, remember }: ApprovalDecided): void {
      if (isOver) return
      isOver = true
      const isOurs = sent?.decision === decision && sent.remember === remember
      if (decision === 'stale') say('  decided    nothing: it is not asked any more', 'dim', 'ask')
      else if (!isOurs) say('  decided    by somebody else, or too late', 'dim', 'ask')
      else say(`  decided    ${wordsFor(sent ?? { decision: 'deny' }, asked)}`, undefined, 'ask')
    },
  }
}

function wordsFor({ decision, remember }: Decision, { isQuestion }: Asked): string {
  if (decision !== 'approve') return 'no'
  if (isQuestion) return 'answered'
  return remember === 'session' ? 'yes, for this session' : 'yes'
}
