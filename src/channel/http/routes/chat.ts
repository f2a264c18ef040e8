import { z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import type { Actor } from '../../../contract/actor.ts'
import { MODES, type Protocol } from '../../../contract/outcome.ts'
import { Problem } from '../../../contract/problem.ts'
import { DIALECTS } from '../../../stream/index.ts'
import { body, newRoutes, onceHeader, route, streamed, type App, type AppEnv, type Services } from '../route.ts'
import { contentSchema, given, lastEventId, namedInput, words } from '../schemas.ts'
import type { StreamOut } from '../stream-out.ts'
import { sendOptions } from './messages.ts'

const chatMessageSchema = namedInput('ChatMessage', {
  content: contentSchema,
  sessionId: words(200).optional(),
  projectId: words(200).optional(),
  mode: z.enum(MODES).optional(),
  onBusy: z.enum(['queue', 'reject', 'interrupt']).optional(),
})

type Input = { json: z.infer<typeof chatMessageSchema>; header: z.infer<typeof lastEventId> }

const start = <Path extends string>(path: Path, summary: string) =>
  route('chat:write', `post ${path}`, {
    summary,
    description: 'Without `sessionId` a conversation is made, in the workspace `projectId` if that is given.',
    request: { headers: onceHeader.extend(lastEventId.shape), ...body(chatMessageSchema) },
    responses: { 200: streamed('the round as it happens, in the phased dialect') },
  })

const resume = route('chat:write', 'post /api/chat/messages_two_stage/resume', {
  summary: 'Let a paused two-stage round go on from the phase that comes next',
  request: body(z.strictObject({ requestId: words(200), resumeFromPhaseIndex: z.number().int() })),
  responses: { 200: streamed('the rest of the round, in the phased dialect') },
})

export function chatRoutes(services: Services, streamOut: StreamOut): App {
  const { sessions, rounds, settings } = services
  const dialect = 'phased'

  /** Repeated with the same key, it is the same session. */
  async function sessionFor(c: Context<AppEnv>, actor: Actor, sessionId?: string, workspaceId?: string) {
    if (sessionId === undefined) {
      const once = c.req.header('idempotency-key')
      const made = await sessions.create(actor, given({ workspaceId }), once && `chat:${once}`)
      return made.id
    }
    const { workspaceId: its } = await sessions.get(actor, sessionId)
    if (workspaceId !== undefined && workspaceId !== its)
      throw new Problem('VALIDATION_ERROR', `This session is in the project ${its}.`, { field: 'projectId' })
    return sessionId
  }

  async function say(c: Context<AppEnv, string, { out: Input }>, protocol: Protocol) {
    const { content, sessionId: known, workspaceId, ...wanted } = DIALECTS[dialect].inbound(c.req.valid('json'))
    const actor = c.get('actor')
    const cursor = c.req.valid('header')['last-event-id']
    return streamOut(c, async () => {
      if (known === undefined) rounds.checkFirst(actor, content)
      const sessionId = await sessionFor(c, actor, known, workspaceId)
      const options = sendOptions(c, given({ ...wanted, protocol }))
      const sent = await rounds.send(actor, sessionId, content, options)
      return { ...sent, dialect, endsAtRest: true, cursor }
    })
  }

  function enabled(): void {
    if (!settings.twoStage)
      throw new Problem('NOT_ENABLED', 'The two-stage routes are switched off; set TWO_STAGE_ENABLED=true.')
  }

  return newRoutes()
    .openapi(start('/api/chat/messages', 'Say something, one stage'), (c) => say(c, 'unified'))
    .openapi(start('/api/chat/messages_two_stage', 'Say something, in triggered phases'), (c) => {
      enabled()
      return say(c, 'triggered')
    })
    .openapi(resume, async (c) => {
      enabled()
      const { requestId, resumeFromPhaseIndex } = c.req.valid('json')
      const actor = c.get('actor')
      return streamOut(c, async () => {
        const { sessionId } = await rounds.get(actor, requestId)
        const { seq } = await sessions.get(actor, sessionId)
        await rounds.resume(actor, requestId, resumeFromPhaseIndex)
        return { sessionId, requestId, dialect, cursor: { seq }, endsAtRest: true }
      })
    })
}
