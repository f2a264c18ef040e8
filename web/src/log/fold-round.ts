import type { WireEvent, WireEventOf } from '../../../src/client/index.ts'
import { failureOf } from './own-asks.ts'
import type { CallStep, Phase, Rest, RoundPicture, Step, TurnStep } from './round-picture.ts'

type Drawn = { -readonly [K in keyof RoundPicture]: RoundPicture[K] } & {
  steps: Step[]
  phases: Phase[]
  rests: Rest[]
  asked: RoundPicture['asked'][number][]
  ownAsks: RoundPicture['ownAsks'][number][]
}

/** Builds the picture of a round from its events in order, even if its first events are not loaded. */
export function foldRound(requestId: string, events: readonly WireEvent[]): RoundPicture {
  const drawn: Drawn = {
    requestId,
    state: 'running',
    steps: [],
    phases: [],
    rests: [],
    asked: [],
    ownAsks: [],
    firstSeq: events[0]?.seq ?? 0,
    lastSeq: 0,
    lastAt: 0,
  }
  for (const event of events) {
    see(drawn, event)
    drawn.lastSeq = event.seq
    drawn.lastAt = Date.parse(event.at)
  }
  return drawn
}

function see(drawn: Drawn, event: WireEvent): void {
  const at = Date.parse(event.at)
  const { seq } = event
  switch (event.type) {
    case 'round.started':
      drawn.begun = { ...event.data, seq, at }
      return
    case 'message.user':
      drawn.user = { ...event.data, eventId: event.id, seq, at }
      return
    case 'round.asked':
      drawn.asked.push({ ...event.data, at })
      return
    case 'round.waiting':
      endRest(drawn, at)
      drawn.state = 'waiting'
      drawn.rests.push({ why: event.data.for, from: at })
      return
    case 'round.paused':
      drawn.state = 'paused'
      drawn.rests.push({ why: 'paused', from: at })
      return
    case 'round.resumed':
      if (event.data.reason === 'takeover') drawn.rests.push({ why: 'takeover', from: drawn.lastAt || at, to: at })
      else endRest(drawn, at)
      drawn.state = 'running'
      return
    case 'round.ended':
      endRest(drawn, at)
      drawn.state = 'ended'
      drawn.finish = { ...event.data, reason: event.data.finishReason, at }
      return
    case 'phase.started':
      drawn.phases.push({ ...event.data, startedAt: at })
      return
    case 'phase.ended': {
      const { phaseIndex, reason } = event.data
      const place = drawn.phases.findIndex((phase) => phase.phaseIndex === phaseIndex)
      const phase = drawn.phases[place]
      if (phase) drawn.phases[place] = { ...phase, endedAt: at, reason }
      return
    }
    case 'turn.started': {
      const { turn, model } = event.data
      drawn.steps.push({ kind: 'turn', turn, seq, model, startedAt: at, retries: [] })
      return
    }
    case 'turn.retried': {
      const { turn, model } = event.data
      changeTurn(drawn, turn, (step) => ({ ...step, model, retries: [...step.retries, { ...event.data, at }] }))
      return
    }
    case 'turn.ended':
      changeTurn(drawn, event.data.turn, (step) => ({ ...step, ...event.data, endedAt: at }))
      return
    case 'message.assistant':
      said(drawn, event)
      return
    case 'tool.call':
      drawn.steps.push({ ...event.data, kind: 'call', seq, askedAt: at })
      return
    case 'approval.requested': {
      const { approvalId: id, callId, reason, question } = event.data
      const approval = { id, status: 'pending', requestedAt: at, reason, isQuestion: question !== undefined } as const
      changeCall(drawn, callId, (step) => ({ ...step, approval }))
      return
    }
    case 'approval.decided': {
      const { approvalId, callId, decision: status, by } = event.data
      changeCall(drawn, callId, (step) => {
        const { approval } = step
        return approval?.id === approvalId ? { ...step, approval: { ...approval, status, decidedAt: at, by } } : step
      })
      return
    }
    case 'tool.started':
      changeCall(drawn, event.data.callId, (step) => ({ ...step, startedAt: at, effectClass: event.data.effect }))
      return
    case 'tool.submitted':
      changeCall(drawn, event.data.callId, (step) => ({ ...step, submitted: { ...event.data, at } }))
      return
    case 'tool.result': {
      const { callId, files = [] } = event.data
      changeCall(drawn, callId, (step) => ({ ...step, result: { ...event.data, files, at } }))
      return
    }
    case 'tool.reconciled':
      changeCall(drawn, event.data.callId, (step) => ({ ...step, reconciled: event.data }))
      return
    case 'notice':
      drawn.steps.push({ kind: 'notice', seq, text: event.data.text })
      return
    case 'compact.summary':
      drawn.steps.push({ ...event.data, kind: 'summary', seq })
      return
    case 'model.asked':
      drawn.ownAsks.push({ ...event.data, seq, startedAt: at })
      return
    case 'model.answered': {
      drawn.ownAsks = drawn.ownAsks.map((one) =>
        one.askId === event.data.askId ? { ...one, ...event.data, endedAt: at } : one,
      )
      const text = failureOf(event.data)
      if (text !== undefined) drawn.steps.push({ kind: 'notice', seq, text })
      return
    }
    case 'session.created':
    case 'session.changed':
    case 'session.forked':
    case 'session.archived':
    case 'session.deleted':
    case 'context.cleared':
    case 'message.deleted':
  }
}

function said(drawn: Drawn, { id, seq, at, data }: WireEventOf<'message.assistant'>): void {
  const part = (type: 'text' | 'reasoning'): string =>
    data.content.flatMap((one) => (one.type === type ? [one.text] : [])).join('')
  const words = { ...data, eventId: id, text: part('text'), reasoning: part('reasoning') }
  const { turn, usage } = data
  const known = drawn.steps.some((step) => step.kind === 'turn' && step.turn === turn && !step.said)
  if (known) return changeTurn(drawn, turn, (step) => ({ ...step, said: words }))
  // Segno's own messages have no turn, and the start of a turn may not be loaded.
  const time = Date.parse(at)
  const own = { kind: 'turn', turn, seq, model: '', startedAt: time, endedAt: time } as const
  drawn.steps.push({ ...own, retries: [], said: words, usage })
}

function changeTurn(drawn: Drawn, turn: number, change: (step: TurnStep) => TurnStep): void {
  const place = drawn.steps.findLastIndex((step) => step.kind === 'turn' && step.turn === turn)
  const step = drawn.steps[place]
  if (step?.kind === 'turn') drawn.steps[place] = change(step)
}

function changeCall(drawn: Drawn, callId: string, change: (step: CallStep) => CallStep): void {
  const place = drawn.steps.findIndex((step) => step.kind === 'call' && step.callId === callId)
  const step = drawn.steps[place]
  if (step?.kind === 'call') drawn.steps[place] = change(step)
}

function endRest(drawn: Drawn, at: number): void {
  const last = drawn.rests.at(-1)
  if (last && last.to === undefined) drawn.rests[drawn.rests.length - 1] = { ...last, to: at }
}
