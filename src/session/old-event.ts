import type { AssistantPart, JsonObject, TextPart } from '../contract/message.ts'
import { Problem } from '../contract/problem.ts'
import { isObject, type UnknownRecord } from '../lib/type-guards.ts'
import { nestsDeeper } from '../lib/nesting.ts'

type Said =
  | { readonly type: 'message.user'; readonly content: readonly TextPart[] }
  | {
      readonly type: 'message.assistant'
      readonly content: readonly AssistantPart[]
      readonly model: string | undefined
    }
  | { readonly type: 'tool.call'; readonly callId: string; readonly name: string; readonly input: JsonObject }
  | { readonly type: 'tool.result'; readonly callId: string; readonly content: string; readonly isError: boolean }
  | { readonly type: 'compact.summary'; readonly text: string }
  | { readonly type: 'message.deleted'; readonly target: string }
  | { readonly type: 'context.cleared' | 'passed over' }

/** One event of an imported log. */
export type OldEvent = Said & {
  readonly id: string | undefined
  readonly parentId: string | undefined
  readonly at: number | undefined
  /** A Problem that names the line. */
  fail(field: string, why: string): Problem
}

const LINE_CHARS = 1_000_000
const NAME_CHARS = 200
/** Blocks of one message. */
export const MOST_BLOCKS = 1000
/** Event types without anything to show. */
const PASSED_OVER = /^(?:session|stream|turn)[._]|^tool_execution_/
const TYPES =
  'message.user, message.assistant, tool.call, tool.result, message.deleted, compact.summary, context.cleared or stream.turn_end'

/** Parses a line, undefined for an empty one; throws a Problem that names the line and the field. */
export function readOldLine(text: string, line: number): OldEvent | undefined {
  if (text.trim() === '') return undefined
  const fail: Fail = (field, why) =>
    new Problem('VALIDATION_ERROR', `Line ${line}: ${field} ${why}.`, { field: `line ${line}: ${field}` })
  if (text.length > LINE_CHARS) throw fail('it', `has more than ${LINE_CHARS} characters`)
  if (nestsDeeper(text)) throw fail('it', 'is nested too deeply')
  const event = parsed(text)
  if (!isObject(event)) throw fail('it', 'is not a JSON object')
  const { payload = {} } = event
  if (!isObject(payload)) throw fail('payload', 'must be an object')
  return {
    ...said(event.type, payload, fail),
    id: nameOrNone(event.id, 'id', fail),
    parentId: nameOrNone(event.parentId, 'parentId', fail),
    at: timeOf(event.timestamp, fail),
    fail,
  }
}

type Fail = OldEvent['fail']

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function said(type: unknown, payload: UnknownRecord, fail: Fail): Said {
  const callId = (): string => nameIn(payload.toolCallId, 'payload.toolCallId', fail)
  switch (type) {
    case 'message.user': {
      const content = blocksOf(payload, fail).filter((part) => part.type === 'text')
      if (content.length === 0) throw fail('payload.content', 'is empty')
      return { type, content }
    }
    case 'message.assistant':
      return { type, content: blocksOf(payload, fail), model: nameOrNone(payload.model, 'payload.model', fail) }
    case 'tool.call': {
      const name = nameIn(payload.name ?? payload.toolName, 'payload.name', fail)
      return {
        type,
        callId: callId(),
        name,
        input: objectIn(payload.arguments ?? payload.input, 'payload.arguments', fail),
      }
    }
    case 'tool.result': {
      const content = blocksOf(payload, fail).map((part) => (part.type === 'text' ? part.text : ''))
      return { type, callId: callId(), content: content.join('\n'), isError: payload.isError === true }
    }
    case 'compact.summary':
      return { type, text: textIn(payload.summary ?? payload.text, 'payload.summary', fail) }
    case 'message.deleted':
      return { type, target: nameIn(payload.targetEventId, 'payload.targetEventId', fail) }
    case 'context.cleared':
      return { type }
    default:
      if (typeof type === 'string' && PASSED_OVER.test(type)) return { type: 'passed over' }
      throw fail('type', `must be ${TYPES}`)
  }
}

const nameOrNone = (value: unknown, field: string, fail: Fail): string | undefined =>
  value === undefined || value === null ? undefined : nameIn(value, field, fail)

function nameIn(value: unknown, field: string, fail: Fail): string {
  if (typeof value === 'string' && value !== '' && value.length <= NAME_CHARS) return value.toWellFormed()
  throw fail(field, `must be text of 1 to ${NAME_CHARS} characters`)
}

function timeOf(timestamp: unknown, fail: Fail): number | undefined {
  if (timestamp === undefined) return undefined
  const at = typeof timestamp === 'string' ? Date.parse(timestamp) : timestamp
  if (typeof at === 'number' && at >= 0 && at < Number.MAX_SAFE_INTEGER) return Math.floor(at)
  throw fail('timestamp', 'must be a date, or milliseconds since 1970')
}

/** The content of a message as text or blocks; other content is replaced by its name. */
function blocksOf({ content = [] }: UnknownRecord, fail: Fail): AssistantPart[] {
  if (typeof content === 'string') return textPart(content.toWellFormed())
  if (!Array.isArray(content)) throw fail('payload.content', 'must be text or a list of blocks')
  if (content.length > MOST_BLOCKS) throw fail('payload.content', `has more than ${MOST_BLOCKS} blocks`)
  const seen = new Set<string>()
  return content.flatMap((block: unknown, at): AssistantPart[] => {
    const path = `payload.content[${at}]`
    if (!isObject(block)) throw fail(path, 'must be an object')
    switch (block.type) {
      case 'text':
        return textPart(textIn(block.text, `${path}.text`, fail))
      case 'thinking':
        return [{ type: 'reasoning', text: textIn(block.thinking, `${path}.thinking`, fail) }]
      case 'image':
      case 'document':
        return textPart(`[${block.type} that was not imported]`)
      case 'tool_use': {
        const id = nameIn(block.id, `${path}.id`, fail)
        if (seen.has(id)) throw fail(`${path}.id`, 'is there twice')
        seen.add(id)
        const name = nameIn(block.name, `${path}.name`, fail)
        return [{ type: 'tool_use', id, name, input: objectIn(block.input, `${path}.input`, fail) }]
      }
      default:
        throw fail(`${path}.type`, 'must be text, thinking, tool_use, image or document')
    }
  })
}

function objectIn(value: unknown = {}, field: string, fail: Fail): JsonObject {
  if (isObject(value)) return value as JsonObject
  throw fail(field, 'must be an object')
}

function textIn(value: unknown, field: string, fail: Fail): string {
  if (typeof value === 'string') return value.toWellFormed()
  throw fail(field, 'must be text')
}

const textPart = (text: string): TextPart[] => (text.trim() === '' ? [] : [{ type: 'text', text }])
