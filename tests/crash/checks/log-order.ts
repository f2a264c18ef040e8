import { isDeepStrictEqual } from 'node:util'
import type { StoredEvent } from '../../../src/contract/event.ts'
import type { SessionLog } from '../plan.ts'
import { heardOf, type Check, type Violation } from './evidence.ts'

const disordered = (check: string, what: string): Violation => ({ harm: 'disordered', check, what })

/** Numbers without gaps, and no event twice. */
export const gapless: Check = ({ state }) =>
  state.sessions.flatMap(({ id, events }) => {
    const gap = events.findIndex(({ seq }, at) => seq !== at + 1)
    const twice = new Set(events.map((one) => one.id)).size !== events.length
    return [
      ...(gap < 0 ? [] : [disordered('numbers have no gaps', `session ${id} has no event ${gap + 1}`)]),
      ...(twice ? [disordered('numbers have no gaps', `session ${id} holds an event twice`)] : []),
    ]
  })

/** What one life left is the beginning of what the next one leaves. */
export const onlyAppends: Check = (evidence) => {
  const found: Violation[] = []
  const now = new Map(evidence.state.sessions.map(({ id, events }) => [id, events]))
  for (const { state } of heardOf(evidence, 'state')) {
    for (const { id, events } of state.sessions) {
      const kept = now.get(id)?.slice(0, events.length)
      if (!isDeepStrictEqual(kept, events))
        found.push(disordered('logs only grow', `session ${id} was changed afterwards`))
    }
  }
  return found
}

/** Every use has one call, at most one start and one result, in this order; results stand in the order asked. */
export const callsInOrder: Check = ({ state }) =>
  state.sessions.flatMap(({ id, events }) => {
    const found: Violation[] = []
    for (const asked of events) {
      if (asked.type !== 'message.assistant') continue
      const uses = asked.data.content.flatMap((part) => (part.type === 'tool_use' ? [part.id] : []))
      let before = asked.seq
      for (const callId of uses) {
        const questions = questionsOf(events)
        const steps = events.filter((one) => ofCall(one, callId) && !questions.has(approvalOf(one)))
        if (!askedWhileRunning(events, callId, questions))
          found.push(disordered('calls ask while they run', `call ${callId} of session ${id} asks at another time`))
        const problem = stepsProblem(asked.seq, steps)
        if (problem) found.push(disordered('calls go step by step', `call ${callId} of session ${id} ${problem}`))
        const result = steps.find(({ type }) => type === 'tool.result')?.seq ?? before
        if (result < before)
          found.push(disordered('results stand in the order asked', `the result of ${callId} came too early`))
        before = result
      }
    }
    return found
  })

function ofCall(event: StoredEvent, callId: string): boolean {
  return 'callId' in event.data && event.data.callId === callId && event.type !== 'tool.reconciled'
}

/** Questions of running calls, by the id of their approval. */
function questionsOf(events: readonly StoredEvent[]): Set<string> {
  return new Set(
    events.flatMap((one) => (one.type === 'approval.requested' && one.data.question ? [one.data.approvalId] : [])),
  )
}

const approvalOf = ({ data }: StoredEvent): string => ('approvalId' in data ? data.approvalId : '')

/** Between its start and its result, and one after the other. */
function askedWhileRunning(events: readonly StoredEvent[], callId: string, questions: ReadonlySet<string>): boolean {
  const names = events
    .filter((one) => ofCall(one, callId))
    .map((one) => (questions.has(approvalOf(one)) ? `question ${one.type}` : one.type))
    .join(', ')
  const asked = '(, question approval.requested, question approval.decided)*'
  return !names.includes('question') || new RegExp(`tool.started${asked}(, tool.submitted)?, tool.result$`).test(names)
}

function stepsProblem(asked: number, steps: readonly StoredEvent[]): string | undefined {
  const names = steps
    .map(({ type, data }) => {
      if (type === 'approval.decided') return `${type} ${data.decision}`
      return type === 'approval.requested' && data.replaces !== undefined ? 'approval.replaced' : type
    })
    .join(', ')
  if ((steps[0]?.seq ?? 0) < asked) return 'stands before the message that asks for it'
  // Asked, approved, started, answered: each at most once, and a start after an ask only with a yes.
  const ask =
    '(, approval.requested, approval.decided (stale))*(, approval.requested, approval.decided (approve|deny|expired|stale))?' +
    '(, approval.replaced, approval.decided (approve|deny|expired|stale))*'
  if (!new RegExp(`^tool.call${ask}(, tool.started(, tool.submitted)?)?, tool.result$`).test(names))
    return `has the steps ${names || 'none'}`
  if (/decided (deny|expired|stale), tool.started/.test(names)) return 'was started without a yes'
  return undefined
}

/** No model is called, no message taken and no round ended while a use has no result. */
export const noModelWhileOpen: Check = ({ state }) =>
  state.sessions.flatMap(({ id, events }) => {
    const found: Violation[] = []
    const open = new Set<string>()
    for (const event of events) {
      if (event.type === 'message.assistant')
        for (const part of event.data.content) if (part.type === 'tool_use') open.add(part.id)
      if (event.type === 'tool.result') open.delete(event.data.callId)
      const ends = event.type === 'round.ended' && !event.data.unstarted
      const acts = event.type === 'turn.started' || event.type === 'message.user' || ends
      if (acts && open.size > 0)
        found.push(
          disordered(
            'no model while a call is open',
            `session ${id}: ${event.type} ${event.seq} with ${open.size} calls open`,
          ),
        )
    }
    return found
  })

/** A fork answers what it inherited unanswered, and starts none of it. */
export const nothingInherited: Check = ({ state }) =>
  state.sessions.flatMap((session) => {
    const { parent, events, id } = session
    if (!parent) return []
    const inherited = usesOf(session, (seq) => seq <= parent.seq)
    return events
      .filter((one) => one.seq > parent.seq && one.type === 'tool.started' && inherited.has(one.data.callId))
      .map(
        (one) =>
          ({
            harm: 'repeated',
            check: 'forks start nothing inherited',
            what: `fork ${id} started an inherited call (event ${one.seq})`,
          }) as const,
      )
  })

function usesOf({ events }: SessionLog, where: (seq: number) => boolean): Set<string> {
  return new Set(
    events.flatMap((one) =>
      one.type === 'message.assistant' && where(one.seq)
        ? one.data.content.flatMap((part) => (part.type === 'tool_use' ? [part.id] : []))
        : [],
    ),
  )
}
