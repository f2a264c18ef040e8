import { z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import type { Actor } from '../../../contract/actor.ts'
import type { Protocol } from '../../../contract/outcome.ts'
import { Problem } from '../../../contract/problem.ts'
import { cursorOf, lastEventId } from '../cursors.ts'
import { given } from '../given.ts'
import { body, newRoutes, onceHeader, route, streamed, type App, type AppEnv, type Services } from '../route.ts'
import { chatMessageSchema } from '../schemas.ts'
import type { StreamOut } from '../stream-out.ts'
import { placeOf, sendOptions } from './messages.ts'

const start = <Path extends string>(path: Path, summary: string) =>
  route('chat:write', `post ${path}`, {
    summary,
    description: 'Without `sessionId` a conversation is made, in the workspace `projectId` if that is given.',
    request: { headers: onceHeader.extend(lastEventId.shape), ...body(chatMessageSchema) },
    responses: { 200: streamed('the round as it happens, in the phased dialect') },
  })

const resume = route('chat:write', 'post /api/chat/messages_two_stage/resume', {
  summary: 'Let a paused two-stage round go on from the phase that comes next',
  request: body(z.strictObject({ requestId: z.string().min(1).max(200), resumeFromPhaseIndex: z.number().int() })),
  responses: { 200: streamed('the rest of the round, in the phased dialect') },
})

export function chatRoutes(services: Services, streamOut: StreamOut): App {
  const { sessions, rounds, settings } = services
  const dialect = 'phased'

  /** One key makes one session and one message in it. */
  async function sessionFor(c: Context<AppEnv>, actor: Actor, wanted: { sessionId?: string; projectId?: string }) {
    const { sessionId, projectId } = wanted
    if (sessionId === undefined) {
      const once = c.req.header('idempotency-key')
      const made = await sessions.create(actor, given({ workspaceId: projectId }), once && `chat:${once}`)
      return made.id
    }
    const { workspaceId } = await sessions.get(actor, sessionId)
    if (projectId !== undefined && projectId !== workspaceId)
      throw new Problem('VALIDATION_ERROR', `This session is in the project ${workspaceId}.`, { field: 'projectId' })
    return sessionId
  }

  async function say(c: Context<AppEnv>, wanted: z.infer<typeof chatMessageSchema>, protocol: Protocol) {
    const { content, mode, onBusy, sessionId: known, projectId } = wanted
    const actor = c.get('actor')
    const cursor = cursorOf(c.req.header('last-event-id'))
    return streamOut(c, async () => {
      if (known === undefined) rounds.checkFirst(actor, content)
      const sessionId = await sessionFor(c, actor, given({ sessionId: known, projectId }))
      const options = sendOptions(c, given({ mode, onBusy, protocol }))
      const sent = await rounds.send(actor, sessionId, content, options)
      return { ...placeOf(sent), dialect, endsAtRest: true, ...(cursor && { cursor }) }
    })
  }

  function enabled(): void {
    if (!settings.twoStage)
      throw new Problem('NOT_ENABLED', 'The two-stage routes are switched off; set TWO_STAGE_ENABLED=true.')
  }

  return newRoutes()
    .openapi(start('/api/chat/messages', 'Say something, one stage'), (c) => say(c, c.req.valid('json'), 'unified'))
    .openapi(start('/api/chat/messages_two_stage', 'Say something, in triggered phases'), (c) => {
      enabled()
      return say(c, c.req.valid('json'), 'triggered')
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
