import type { WireEvent, WireEventOf } from '../api/shapes.ts'
import type { CallStep, Phase, Rest, RoundPicture, Step, TurnStep } from './round-picture.ts'

type Drawn = { -readonly [K in keyof RoundPicture]: RoundPicture[K] } & {
  steps: Step[]
  phases: Phase[]
  rests: Rest[]
  asked: RoundPicture['asked'][number][]
}

/** The picture of a round, from its events in their order; also where its beginning is not loaded. */
export function foldRound(requestId: string, events: readonly WireEvent[]): RoundPicture {
  const drawn: Drawn = {
    requestId,
    state: 'running',
    steps: [],
    phases: [],
    rests: [],
    asked: [],
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
  const { seq, data } = event
  switch (event.type) {
    case 'round.started': {
      const { model, protocol, mode } = event.data
      drawn.begun = { seq, at, model, protocol, mode }
      return
    }
    case 'message.user':
      drawn.user = { eventId: event.id, seq, at, content: event.data.content }
      return
    case 'round.asked':
      drawn.asked.push({ what: event.data.what, by: event.data.by, at })
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
    case 'round.ended': {
      const { finishReason, usage, cost, error, unstarted } = event.data
      endRest(drawn, at)
      drawn.state = 'ended'
      const more = { ...(error !== undefined && { error }), ...(unstarted && { unstarted: true as const }) }
      drawn.finish = { reason: finishReason, usage, cost, at, ...more }
      return
    }
    case 'phase.started': {
      const { phase, phaseIndex, cycleIndex } = event.data
      drawn.phases.push({ phase, index: phaseIndex, cycle: cycleIndex, startedAt: at })
      return
    }
    case 'phase.ended': {
      const { phaseIndex, reason } = event.data
      const place = drawn.phases.findIndex(({ index }) => index === phaseIndex)
      const phase = drawn.phases[place]
      if (phase) drawn.phases[place] = { ...phase, endedAt: at, reason }
      return
    }
    case 'turn.started':
      drawn.steps.push({
        kind: 'turn',
        turn: event.data.turn,
        seq,
        model: event.data.model,
        startedAt: at,
        retries: [],
      })
      return
    case 'turn.retried': {
      const { turn, reason, model, waitMs } = event.data
      changeTurn(drawn, turn, (step) => ({ ...step, model, retries: [...step.retries, { at, reason, model, waitMs }] }))
      return
    }
    case 'turn.ended': {
      const { turn, stopReason, usage, cost } = event.data
      changeTurn(drawn, turn, (step) => ({
        ...step,
        endedAt: at,
        stopReason,
        usage,
        ...(cost !== undefined && { cost }),
      }))
      return
    }
    case 'message.assistant':
      said(drawn, event)
      return
    case 'tool.call': {
      const { callId, name, args, raw, turn } = event.data
      const more = raw !== undefined && { raw }
      drawn.steps.push({ kind: 'call', callId, name, args, ...more, turn, seq, askedAt: at })
      return
    }
    case 'approval.requested': {
      const { approvalId: id, callId, reason, target, question } = event.data
      const isQuestion = question !== undefined
      const approval = { id, status: 'pending' as const, requestedAt: at, reason, target, isQuestion }
      changeCall(drawn, callId, (step) => ({ ...step, approval }))
      return
    }
    case 'approval.decided': {
      const { approvalId, callId, decision, by } = event.data
      changeCall(drawn, callId, ({ approval, ...step }) =>
        approval?.id === approvalId
          ? { ...step, approval: { ...approval, status: decision, decidedAt: at, by } }
          : { ...step, ...(approval && { approval }) },
      )
      return
    }
    case 'tool.started':
      changeCall(drawn, event.data.callId, (step) => ({ ...step, startedAt: at, effectClass: event.data.effect }))
      return
    case 'tool.submitted':
      changeCall(drawn, event.data.callId, (step) => ({ ...step, submittedAt: at }))
      return
    case 'tool.result': {
      const { callId, outcome, code, effect, content, chars, cut, files = [], durationMs, cost } = event.data
      changeCall(drawn, callId, (step) => ({
        ...step,
        result: {
          eventId: event.id,
          outcome,
          effect,
          files,
          at,
          durationMs,
          cost,
          ...(code !== undefined && { code }),
          ...(content !== undefined && { content }),
          ...(chars !== undefined && { chars }),
          ...(cut !== undefined && { cut }),
        },
      }))
      return
    }
    case 'tool.reconciled': {
      const { callId, happened, by, note } = event.data
      changeCall(drawn, callId, (step) => ({
        ...step,
        reconciled: { happened, by, ...(note !== undefined && { note }) },
      }))
      return
    }
    case 'notice':
      drawn.steps.push({ kind: 'notice', seq, at, text: event.data.text, reason: event.data.reason })
      return
    case 'session.created':
    case 'session.changed':
    case 'session.forked':
    case 'session.archived':
    case 'session.deleted':
    case 'compact.summary':
    case 'context.cleared':
    case 'message.deleted':
      void data
  }
}

function said(drawn: Drawn, { id, seq, at, data }: WireEventOf<'message.assistant'>): void {
  const part = (type: 'text' | 'reasoning'): string =>
    data.content.flatMap((one) => (one.type === type ? [one.text] : [])).join('')
  const words = {
    eventId: id,
    seq,
    text: part('text'),
    reasoning: part('reasoning'),
    final: data.final,
    interrupted: data.interrupted ?? false,
    own: data.own ?? false,
  }
  const known = drawn.steps.some((step) => step.kind === 'turn' && step.turn === data.turn && !step.said)
  if (known) return changeTurn(drawn, data.turn, (step) => ({ ...step, said: words }))
  // Words of Segno's own come without a turn; and the beginning of a turn may not be loaded.
  const time = Date.parse(at)
  const { turn, usage } = data
  drawn.steps.push({
    kind: 'turn',
    turn,
    seq,
    model: '',
    startedAt: time,
    endedAt: time,
    retries: [],
    said: words,
    usage,
  })
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
