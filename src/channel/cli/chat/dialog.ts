import type { Json, JsonObject } from '../../../contract/message.ts'
import { Problem } from '../../../contract/problem.ts'
import type { Api } from './api.ts'
import { approvalLines, choiceOf, detailsText, type Asked } from './approval-text.ts'
import { expectation, fieldsOf, readField, type Field } from './question-fields.ts'
import type { Transcript } from './transcript.ts'

/** Somebody is asked about a call, or by one. */
export interface Dialog {
  readonly asked: Asked
  /** what is being filled in; undefined: a yes or no is wanted */
  readonly field: Field | undefined
  /** A key was pressed, or in a terminal without keys a line typed. */
  choose(text: string): Promise<void>
  /** A line for the field. */
  fill(text: string): Promise<void>
  readonly isOver: boolean
}

export function createDialog(asked: Asked, api: Api, say: Transcript['say']): Dialog {
  const content: Record<string, Json> = {}
  let fields: Field[] = []
  let at = 0
  let isFilling = false
  let isOver = false
  for (const [text, tint] of approvalLines(asked)) say(text, tint, 'ask')

  async function decide(decision: object, words: string): Promise<void> {
    isOver = true
    say(`  decided    ${words}`, undefined, 'ask')
    try {
      await api.decide(asked.id, decision)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      say(error.message, 'bad', 'ask')
    }
  }

  async function next(): Promise<void> {
    const field = fields[at]
    if (field) return say(`  ${field.title} (${expectation(field)})`, undefined, 'ask')
    await decide({ decision: 'approve', content }, 'answered')
  }

  return {
    asked,
    get field() {
      return isFilling ? fields[at] : undefined
    },
    get isOver() {
      return isOver
    },
    async choose(text) {
      switch (choiceOf(text, asked)) {
        case 'approve':
          if (!asked.isQuestion) return decide({ decision: 'approve' }, 'yes')
          fields = fieldsOf(asked.args['schema'] as JsonObject | undefined)
          isFilling = fields.length > 0
          return next()
        case 'session':
          return decide({ decision: 'approve', remember: 'session' }, 'yes, for this session')
        case 'deny':
          return decide({ decision: 'deny' }, 'no')
        case 'details': {
          const tool = (await api.tools()).find(({ name }) => name === asked.tool)
          return say(detailsText(asked, tool?.effect), undefined, 'ask')
        }
        case undefined:
          return
      }
    },
    async fill(text) {
      const field = fields[at]
      if (!field) return
      const { value, fault } = readField(field, text)
      if (fault !== undefined) return say(`  ${fault}`, 'careful', 'ask')
      if (value !== undefined) content[field.name] = value
      say(`  ${field.name}: ${value === undefined ? 'none' : JSON.stringify(value)}`, 'dim', 'ask')
      at += 1
      await next()
    },
  }
}
