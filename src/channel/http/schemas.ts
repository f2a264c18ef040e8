import { z } from '@hono/zod-openapi'
import { LATER_KINDS } from '../../contract/event.ts'
import type { Json } from '../../contract/message.ts'
import { DIALECTS, parseCursor, type DialectName } from '../../stream/index.ts'
import { MODES, PROTOCOLS } from '../../contract/outcome.ts'
import { paramFields } from './param-fields.ts'

/** Schemas that several routes use. They check requests and make the documentation. */

/** An object with a name in the documentation. */
export const named = <S extends z.ZodRawShape>(name: string, fields: S) => z.object(fields).openapi(name)
/** The same for a request, which may have no other fields. */
export const namedInput = <S extends z.ZodRawShape>(name: string, fields: S) => z.strictObject(fields).openapi(name)
/** An object that is not described further. */
export const anyObject = z.any().openapi({ type: 'object' })
/** Any object; its values are checked elsewhere. */
export const someObject = z.record(z.string(), z.custom<Json>()).openapi({ type: 'object' })
export const time = z.string().openapi({ format: 'date-time' })
export const protocol = z.enum(PROTOCOLS)
export const words = (most: number) => z.string().min(1).max(most)
/** such as `?all=1` */
export const flag = z
  .enum(['1'])
  .transform(() => true as const)
  .optional()
export const instant = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text))
/** The `next` of an earlier page. */
export const cursor = (form: RegExp) => z.string().regex(form, 'expected the `next` of an earlier page').optional()

export const limit = z.coerce.number().int().min(1).max(200).optional()

/** Of a list that is read on by numbers, and of one by times. */
export const byNumber = { cursor: cursor(/^\d{1,15}$/), limit }
export const byTime = { cursor: cursor(/^\d{1,15}\.\d{1,16}$/), limit }

export const revision = z.number().int().optional().describe('the one you looked at: refused if it has changed since')

/** The id of the last frame that a reader has. */
export const streamCursor = (expected: string) =>
  z
    .string()
    .regex(/^\d{1,15}(\.\d{1,15})?$/, expected)
    .transform(parseCursor)
    .optional()
export const lastEventId = z.object({
  'last-event-id': streamCursor('expected the id of a frame, such as 12 or 12.340'),
})
export const dialectSchema = z.enum(Object.keys(DIALECTS) as DialectName[])

type Given<T> = { [K in keyof T]: Exclude<T[K], undefined> }

/** Drops undefined fields. */
export function given<T extends object>(fields: T): Given<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Given<T>
}

export const problemSchema = named('Problem', {
  type: z.string(),
  title: z.string(),
  status: z.number().int(),
  code: z.string(),
  detail: z.string(),
  requestId: z.string(),
  errors: z.array(z.object({ field: z.string(), message: z.string() })).optional(),
})

export const sessionSchema = named('Session', {
  id: z.string(),
  alias: z.string().optional(),
  workspaceId: z.string(),
  title: z.string(),
  model: z.string().optional(),
  protocol: protocol.optional(),
  ...paramFields,
  parent: z.object({ sessionId: z.string(), seq: z.number().int() }).optional(),
  seq: z.number().int(),
  archived: z.boolean(),
  createdAt: time,
  updatedAt: time,
  usedAt: time.describe('when its last own round started, else when it was made'),
  open: z
    .object({
      requestId: z.string(),
      state: z.enum(['queued', 'running', 'waiting', 'paused']),
      waitingFor: z.enum(LATER_KINDS).optional(),
    })
    .optional()
    .describe('the round that has not ended'),
})

export const callSchema = named('Call', {
  callId: z.string(),
  sessionId: z.string(),
  requestId: z.string(),
  tool: z.string(),
  outcome: z.string(),
  code: z.string().optional(),
  effect: z.string(),
  startedAt: time.optional(),
  endedAt: time.optional(),
  durationMs: z.number().optional(),
  cost: z.number().int().optional(),
})

const turnSchema = named('Turn', {
  turnId: z.string(),
  index: z.number().int(),
  status: z.enum(['streaming', 'completed', 'error']),
  content: z.string(),
  toolCalls: z.array(z.object({ callId: z.string(), name: z.string(), outcome: z.string().optional() })),
  usage: anyObject.optional(),
  cost: z.number().int().optional().describe('micro-dollars'),
  startedAt: time,
  endedAt: time.optional(),
})

export const roundSchema = named('Round', {
  requestId: z.string(),
  sessionId: z.string(),
  state: z.enum(['queued', 'running', 'waiting', 'paused', 'ended']),
  protocol,
  mode: z.enum(MODES),
  model: z.string(),
  waitingFor: z.string().optional(),
  phase: z.string().optional(),
  phaseIndex: z.number().int().optional(),
  cycleIndex: z.number().int().optional(),
  turns: z.array(turnSchema),
  calls: z.array(callSchema),
  usage: anyObject,
  cost: z.number().int(),
  finishReason: z.string().optional(),
  output: anyObject.optional().describe('the answer, if an object was asked for and it fits the schema'),
  startedAt: time,
  endedAt: time.optional(),
})

export const listedRoundSchema = roundSchema
  .omit({ phase: true, phaseIndex: true, cycleIndex: true, turns: true, calls: true, output: true })
  .extend({
    userId: z.string(),
    title: z.string().optional().describe('of its session, where that is yours'),
  })
  .openapi('ListedRound')

const note = z.string().optional().describe('what is not shown, and why')
const shownSchema = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('file'), path: z.string(), text: z.string(), diff: z.string().optional(), note }),
    z.object({
      kind: z.literal('command'),
      text: z.string(),
      dangers: z.array(z.object({ from: z.number().int(), to: z.number().int(), why: z.string() })).readonly(),
      note,
    }),
    z.object({
      kind: z.literal('fields'),
      rows: z.array(z.object({ name: z.string(), value: z.string() })).readonly(),
      note,
    }),
  ])
  .describe('what it would do, for people: a file with a unified diff, a command, or a table')

export const approvalSchema = named('Approval', {
  id: z.string(),
  sessionId: z.string(),
  requestId: z.string(),
  callId: z.string(),
  tool: z.string(),
  args: anyObject,
  target: z.string(),
  reason: z.string(),
  rememberable: z.boolean(),
  isQuestion: z.boolean().describe('a running call asks; args hold the message and a schema'),
  display: z
    .object({
      target: z.string(),
      shown: shownSchema,
      args: z.string(),
      isDangerous: z.boolean().describe('a person has to look at this one each time'),
      warnings: z.array(z.string()).readonly(),
      remembers: z.string().optional().describe('what `remember: session` would cover'),
    })
    .describe('what to show a person: whole, characters that cannot be seen as numbers, rows of spaces as ␣'),
  requestedAt: time,
  status: z.enum(['pending', 'approved', 'denied', 'expired', 'stale']),
  expiresAt: time,
  decidedBy: z.string().optional(),
})

export const newSessionSchema = namedInput('NewSession', {
  workspaceId: words(200).optional(),
  title: words(200).optional(),
  alias: words(200).optional().describe('a name you find it by, such as <channel>:<user>; yours alone'),
  model: words(200).optional(),
  protocol: protocol.optional(),
  ...paramFields,
})

/** Parts are checked later, with better messages. */
const partSchema = z.any().openapi({
  oneOf: [
    {
      type: 'object',
      required: ['type', 'text'],
      properties: { type: { type: 'string', enum: ['text'] }, text: { type: 'string' } },
    },
    {
      type: 'object',
      required: ['type', 'mediaType', 'data'],
      properties: {
        type: { type: 'string', enum: ['file'] },
        mediaType: { type: 'string', description: 'png, jpeg, gif or webp pictures, application/pdf, text/…' },
        name: { type: 'string' },
        data: { type: 'string', description: 'the bytes in base64' },
      },
    },
  ],
})

export const contentSchema = z.union([z.string(), z.array(partSchema)], {
  error: ({ input }) => `Invalid input: expected string or a list of parts, received ${typeof input}`,
})

export const newMessageSchema = namedInput('NewMessage', {
  content: contentSchema,
  protocol: protocol.optional(),
  mode: z.enum(MODES).optional(),
  model: words(200).optional(),
  limits: z.record(z.string(), z.number().int().min(0)).optional(),
  onBusy: z.enum(['queue', 'reject', 'interrupt']).optional(),
  toolResultsAs: z.enum(['system', 'tool']).optional(),
  enableTools: z
    .union([z.boolean(), z.array(words(200)).max(200)])
    .optional()
    .describe('false: no tool; a list: only these, of those that may be used anyway'),
  ...paramFields,
})

export const page = <S extends z.ZodType>(item: S) => z.object({ items: z.array(item), next: z.string().nullable() })
