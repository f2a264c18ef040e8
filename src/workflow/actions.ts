import type { Actor } from '../contract/actor.ts'
import type { AuditMetadata } from '../contract/audit.ts'
import type { Action, Automation } from '../contract/automation.ts'
import type { RoundOrigin } from '../contract/round-started.ts'
import type { JsonObject } from '../contract/message.ts'
import { invalidField, Problem } from '../contract/problem.ts'
import type { Clock } from '../lib/clock.ts'
import { sha256 } from '../lib/hash.ts'
import type { AuditStore } from '../store/index.ts'
import type { Automations, RunAs } from './automations.ts'
import type { CheckValue } from './bad-output.ts'
import { checkFits } from './check-fits.ts'
import { checkReportedType } from './event-types.ts'
import type { Events } from './events.ts'
import { fillInput } from './fill-input.ts'
import type { Invocations } from './invocations.ts'
import { readFields, readInput } from './read-fields.ts'
import { isPassing, skipRecord } from './skipping.ts'
import { fillTemplate, hasPlace } from './template.ts'
import { usableWorkflow } from './workflows.ts'

/** What an action started: an invocation, a round or an event. */
export interface Begun {
  readonly invocationId?: string
  readonly requestId?: string
  readonly sessionId?: string
  readonly eventId?: string
}

/** What hooks and schedules do, as whoever made them. */
export interface Actions {
  /**
   * Throws a Problem that names the field; whoever makes or changes an automation must be allowed what it does.
   * `isWhole`: nothing is put into its input later, so that has to fit the workflow now.
   */
  check(actor: Actor, given: Action, isWhole?: boolean): Promise<Action>
  /** Does it once per key. What it cannot do is recorded and thrown. */
  perform(automation: Starter, once: Once): Promise<Begun>
  /** Puts on record that something was left out. */
  skip(automation: Starter, why: AuditMetadata): Promise<void>
}

type Starter = Automation<'hook'> | Automation<'schedule'>

interface Once {
  readonly key: string
  /** how many automations led to this one */
  readonly depth: number
  /** what came from outside; a schedule has none */
  readonly payload?: JsonObject
}

interface ActionOptions {
  readonly clock: Clock
  readonly automations: Pick<Automations, 'get'>
  readonly invocations: Pick<Invocations, 'startFor'>
  readonly events: Pick<Events, 'report'>
  readonly runAs: RunAs
  readonly checkValue: CheckValue
  /** Starts the round of a message; the same id is the same round. */
  sendFor(
    origin: RoundOrigin,
    actor: Actor,
    sessionId: string,
    content: string,
    messageId: string,
  ): Promise<{ readonly requestId: string; readonly sessionId: string }>
  /** Throws a Problem if it is no conversation of this actor. */
  checkSession(actor: Actor, id: string): Promise<unknown>
  readonly inputChars: number
  readonly messageChars: number
  /** automations that may lead to each other one after the other */
  readonly depth: number
}

export function createActions(store: Pick<AuditStore, 'appendAudit'>, options: ActionOptions): Actions {
  const { clock, automations, invocations, events, runAs, checkValue, sendFor, checkSession } = options
  const { inputChars, messageChars, depth: deepest } = options

  async function checkWorkflow(
    actor: Actor,
    { workflowId, input }: Action & { does: 'workflow' },
    isWhole: boolean,
  ): Promise<void> {
    const workflow = await usableWorkflow(automations, actor, workflowId)
    if (input !== undefined) readInput('input', input, inputChars)
    if (isWhole) await checkFits(workflow, input ?? {}, checkValue)
  }

  async function checkMessage(actor: Actor, { sessionId, content }: Action & { does: 'message' }): Promise<void> {
    if (typeof sessionId !== 'string') throw invalidField('sessionId', 'must be the id of a conversation of yours')
    await checkSession(actor, sessionId)
    if (typeof content !== 'string' || content.trim() === '' || content.length > messageChars)
      throw invalidField('content', `must be a text of 1 to ${messageChars} characters`)
  }

  async function begin(automation: Starter, actor: Actor, { key, depth, payload }: Once): Promise<Begun> {
    const { id, kind } = automation
    const { action } = automation.body
    if (action.does === 'workflow') {
      const { input } = action
      const given = payload && (input ? fillInput(input, { payload, most: inputChars }) : payload)
      const cause = { origin: kind, automation, actor, key, depth: depth + 1 }
      return { invocationId: (await invocations.startFor(cause, action.workflowId, given ?? input ?? {})).id }
    }
    if (depth >= deepest) throw new Problem('CONFLICT', 'Automations led to each other too often (limit EVENT_DEPTH).')
    if (action.does === 'event') {
      const told = { id: sha256(key), type: action.type, payload: payload ?? {}, depth: depth + 1 }
      return { eventId: (await events.report(actor, told)).id }
    }
    const origin = {
      kind,
      id,
      depth: depth + 1,
      hasPayload: payload !== undefined && hasPlace(action.content),
    } as const
    const from = `what came to the hook ${automation.name ?? id}`
    const content = payload
      ? fillTemplate(action.content, { payload, secret: key, from, most: inputChars })
      : action.content
    const { requestId, sessionId } = await sendFor(origin, actor, action.sessionId, content, key)
    return { requestId, sessionId }
  }

  async function skip(automation: Starter, why: AuditMetadata): Promise<void> {
    await store.appendAudit([skipRecord(automation, why, clock.now())])
  }

  return {
    skip,
    async check(actor, given, isWhole = false) {
      if (given.does === 'workflow') await checkWorkflow(actor, given, isWhole)
      else if (given.does === 'message') await checkMessage(actor, given)
      else if (given.does === 'event') checkReportedType('type', given.type)
      else throw invalidField('does', 'must be workflow, message or event')
      readFields('action', given, FIELDS[given.does])
      return given
    },
    async perform(automation, once) {
      const actor = await runAs(automation)
      if (!actor) {
        await skip(automation, { invocationCode: 'NOT_ALLOWED', depth: once.depth + 1 })
        throw new Problem('PERMISSION_DENIED', `Whoever made this ${automation.kind} may do nothing here any more.`)
      }
      try {
        return await begin(automation, actor, once)
      } catch (error) {
        if (error instanceof Problem && !isPassing(error))
          await skip(automation, { problem: error.code, depth: once.depth + 1 })
        throw error
      }
    },
  }
}

const FIELDS: Readonly<Record<Action['does'], readonly string[]>> = {
  workflow: ['does', 'workflowId', 'input'],
  message: ['does', 'sessionId', 'content'],
  event: ['does', 'type'],
}
