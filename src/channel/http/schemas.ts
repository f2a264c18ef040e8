import { z } from '@hono/zod-openapi'
import type { Json } from '../../contract/message.ts'
import { ROLES } from '../../contract/actor.ts'
import { MODES, PROTOCOLS } from '../../contract/outcome.ts'

/** What is sent and answered, as schemas: they check requests and write the documentation. */

/** An object whose fields are not described here. */
export const anyObject = z.any().openapi({ type: 'object' })
/** Any object, and nothing else; its values are looked at by who knows what they should be. */
export const someObject = z.record(z.string(), z.custom<Json>()).openapi({ type: 'object' })
const time = z.string().openapi({ format: 'date-time' })
const protocol = z.enum(PROTOCOLS)
export const words = (most: number) => z.string().min(1).max(most)
/** Where to go on in a list, in the form its pages say it. */
export const cursor = (form: RegExp) => z.string().regex(form, 'expected the `next` of an earlier page').optional()

export const problemSchema = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.number().int(),
    code: z.string(),
    detail: z.string(),
    requestId: z.string(),
    errors: z.array(z.object({ field: z.string(), message: z.string() })).optional(),
  })
  .openapi('Problem')

export const sessionSchema = z
  .object({
    id: z.string(),
    alias: z.string().optional(),
    workspaceId: z.string(),
    title: z.string(),
    model: z.string().optional(),
    protocol: protocol.optional(),
    parent: z.object({ sessionId: z.string(), seq: z.number().int() }).optional(),
    seq: z.number().int(),
    archived: z.boolean(),
    createdAt: time,
    updatedAt: time,
    usedAt: time.openapi({ description: 'when its last own round started, else when it was made' }),
    open: z
      .object({
        requestId: z.string(),
        state: z.enum(['queued', 'running', 'waiting', 'paused']),
        waitingFor: z.literal('result').optional(),
      })
      .optional()
      .openapi({ description: 'the round that has not ended' }),
  })
  .openapi('Session')

export const callSchema = z
  .object({
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
  .openapi('Call')

const turnSchema = z
  .object({
    turnId: z.string(),
    index: z.number().int(),
    status: z.enum(['streaming', 'completed', 'error']),
    content: z.string(),
    toolCalls: z.array(z.object({ callId: z.string(), name: z.string(), outcome: z.string().optional() })),
    usage: anyObject.optional(),
    cost: z.number().int().optional().openapi({ description: 'micro-dollars' }),
    startedAt: time,
    endedAt: time.optional(),
  })
  .openapi('Turn')

export const roundSchema = z
  .object({
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
    startedAt: time,
    endedAt: time.optional(),
  })
  .openapi('Round')

export const listedRoundSchema = roundSchema
  .omit({ phase: true, phaseIndex: true, cycleIndex: true, turns: true, calls: true })
  .extend({
    userId: z.string(),
    title: z.string().optional().openapi({ description: 'of its session, where that is yours' }),
  })
  .openapi('ListedRound')

export const approvalSchema = z
  .object({
    id: z.string(),
    sessionId: z.string(),
    requestId: z.string(),
    callId: z.string(),
    tool: z.string(),
    args: anyObject,
    target: z.string(),
    reason: z.string(),
    rememberable: z.boolean(),
    isQuestion: z.boolean().openapi({ description: 'a running call asks; args hold the message and a schema' }),
    display: z
      .object({
        target: z.string(),
        args: z.string(),
        warnings: z.array(z.string()),
        remembers: z.string().optional().openapi({ description: 'what `remember: session` would cover' }),
      })
      .openapi({
        description: 'what to show a person: whole, characters that cannot be seen as numbers, rows of spaces as ␣',
      }),
    requestedAt: time,
    status: z.enum(['pending', 'approved', 'denied', 'expired', 'stale']),
    expiresAt: time,
    decidedBy: z.string().optional(),
  })
  .openapi('Approval')

const amount = z.number().nullable()
export const budgetSchema = z
  .object({
    userId: z.string(),
    from: z.string().nullable().openapi({ description: 'whose budget it is: the own one, * or none' }),
    dailyTokens: amount,
    dailyToolCost: amount,
    dailyCost: amount,
    left: z.object({ tokens: amount, tools: amount, cost: amount }),
  })
  .openapi('Budget')

export const explanationSchema = z
  .object({
    verdict: z.object({
      kind: z.enum(['allow', 'ask', 'refuse']),
      code: z.string().optional(),
      message: z.string().optional(),
      reason: z.string().optional(),
      rememberable: z.boolean().optional(),
    }),
    decidedBy: z.string().openapi({ description: 'the step of the gate' }),
    because: z.string(),
    fitting: z.array(z.number()).openapi({ description: 'rules of the policy that fit; the first one counts' }),
  })
  .openapi('Explanation')

export const newSessionSchema = z
  .strictObject({
    workspaceId: words(200).optional(),
    title: words(200).optional(),
    alias: words(200)
      .optional()
      .openapi({ description: 'a name you find it by, such as <channel>:<user>; yours alone' }),
    model: words(200).optional(),
    protocol: protocol.optional(),
  })
  .openapi('NewSession')

export const sessionChangesSchema = z
  .strictObject({
    title: words(200).optional(),
    model: words(200).nullable().optional(),
    protocol: protocol.nullable().optional(),
    archived: z.boolean().optional(),
  })
  .openapi('SessionChanges')

/** Parts are checked where messages are read, which names the field of the part that is wrong. */
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

const contentSchema = z.union([z.string(), z.array(partSchema)], {
  error: ({ input }) => `Invalid input: expected string or a list of parts, received ${typeof input}`,
})

export const newMessageSchema = z
  .strictObject({
    content: contentSchema,
    protocol: protocol.optional(),
    mode: z.enum(MODES).optional(),
    model: words(200).optional(),
    limits: z.record(z.string(), z.number().int().min(0)).optional(),
    onBusy: z.enum(['queue', 'reject', 'interrupt']).optional(),
    toolResultsAs: z.enum(['system', 'tool']).optional(),
  })
  .openapi('NewMessage')

export const chatMessageSchema = z
  .strictObject({
    content: contentSchema,
    sessionId: words(200).optional(),
    projectId: words(200).optional(),
    mode: z.enum(MODES).optional(),
    onBusy: z.enum(['queue', 'reject', 'interrupt']).optional(),
  })
  .openapi('ChatMessage')

export const acceptedSchema = z
  .object({
    requestId: z.string(),
    sessionId: z.string(),
    state: z.enum(['running', 'queued', 'waiting', 'paused', 'ended']),
  })
  .openapi('Accepted')

export const completionSchema = z
  .object({
    requestId: z.string(),
    sessionId: z.string(),
    content: z.string(),
    finishReason: z.string().nullable(),
    usage: anyObject,
    cost: z.number().int(),
    calls: z.array(anyObject),
    error: z.string().optional().openapi({ description: 'what went wrong, if it ended with an error' }),
  })
  .openapi('Completion')

export const promptSchema = z
  .object({
    sessionId: z.string(),
    systemPrompt: z.string(),
    layers: z.array(z.object({ name: z.string(), text: z.string(), tokens: z.number().int(), hash: z.string() })),
    messages: z.number().int(),
  })
  .openapi('Prompt')

export const workspaceSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    folder: z.string(),
    folderByOwner: z.boolean().openapi({ description: 'the owner of the machine named it, under a root or not' }),
    instructions: z.string(),
    instructionsBy: z.string().nullable().openapi({ description: 'who wrote them; null: nobody knows any more' }),
    instructionsTrusted: z
      .boolean()
      .openapi({ description: 'false: words of somebody who may not manage workspaces, as text from outside' }),
    models: z.array(z.string()),
    mcpServers: z.array(z.string()),
    createdAt: time,
    updatedAt: time,
  })
  .openapi('Workspace')

export const workspaceWishSchema = z
  .strictObject({
    name: words(200).optional(),
    folder: words(4000).optional(),
    instructions: z.string().max(2000).optional(),
    models: z.array(words(200)).max(100).optional(),
    mcpServers: z.array(words(32)).max(100).optional(),
  })
  .openapi('WorkspaceWish')

export const keySchema = z
  .object({
    id: z.string(),
    tenant: z.string(),
    userId: z.string(),
    name: z.string(),
    role: z.enum(ROLES),
    scopes: z.array(z.string()).nullable(),
    operator: z.boolean().openapi({ description: 'it may run the installation, whatever its role and scopes are' }),
    createdAt: time,
    expiresAt: time.nullable(),
    revokedAt: time.nullable(),
    secret: z.string().optional().openapi({ description: 'the key itself, shown this once' }),
  })
  .openapi('Key')

export const newKeySchema = z
  .strictObject({
    name: words(100),
    userId: words(100).optional(),
    role: z.enum(ROLES).optional(),
    scopes: z.array(words(200)).max(100).optional(),
    expiresAt: z.iso.datetime().optional(),
    tenant: words(100).optional().openapi({ description: 'another tenant than your own needs operator' }),
    operator: z
      .boolean()
      .optional()
      .openapi({ description: 'it may run the installation; only an operator gives that' }),
  })
  .openapi('NewKey')

export const page = <S extends z.ZodType>(item: S) => z.object({ items: z.array(item), next: z.string().nullable() })
