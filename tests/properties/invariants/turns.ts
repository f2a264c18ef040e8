import { ofType, type RoundLog } from './round-logs.ts'

/** Turns are numbered, closed one by one, bounded, and the last one uses no tools. */
export function turnFaults({ events, started, ended }: RoundLog): string[] {
  const faults: string[] = []
  const { limits, protocol } = started
  const calls = { open: new Set<string>(), started: 0, fruitless: 0 }
  let turn = 0
  let openTurn: { last: boolean; said: boolean } | null = null
  let lastBegun = false
  let resting = false
  let until = 0
  for (const event of events) {
    switch (event.type) {
      case 'turn.started': {
        if (openTurn) faults.push(`turn ${event.data.turn} begins while another is open`)
        if (event.data.turn !== ++turn) faults.push(`turn ${turn} is numbered ${event.data.turn}`)
        if (calls.open.size > 0) faults.push(`turn ${turn} begins while a call is open`)
        if (lastBegun) faults.push(`turn ${turn} comes after the last one`)
        if (resting) faults.push(`turn ${turn} begins while the round rests`)
        const due =
          protocol === 'triggered'
            ? calls.started >= Math.min(limits.maxCycles, limits.maxToolCalls) || calls.fruitless >= limits.maxFruitless
            : calls.started >= limits.maxToolCalls || turn > limits.maxIterations
        if (event.data.last !== due) faults.push(`turn ${turn} ${due ? 'must' : 'need not'} be the last one`)
        lastBegun = event.data.last
        openTurn = { last: event.data.last, said: false }
        break
      }
      case 'turn.ended':
        if (!openTurn || event.data.turn !== turn) faults.push(`turn ${event.data.turn} ends and is not open`)
        openTurn = null
        break
      case 'message.assistant': {
        const uses = event.data.content.filter((part) => part.type === 'tool_use')
        if (openTurn?.said) faults.push(`turn ${turn} stores two messages`)
        if (!openTurn && !(event.data.own && event.data.final)) faults.push('an answer is stored outside a turn')
        if (openTurn) openTurn.said = true
        if (uses.length > 0 && openTurn?.last) faults.push('the last turn stores a tool use')
        if (uses.length > 0 !== (event.data.stopReason === 'tool_use')) faults.push('uses and stop reason disagree')
        if (uses.length > 1 && protocol === 'triggered') faults.push('a triggered turn stores several uses')
        if (uses.length > 0 && event.data.final) faults.push('a final answer uses tools')
        for (const { id } of uses) calls.open.add(id)
        break
      }
      case 'tool.started':
        if (openTurn) faults.push('a call starts inside a turn')
        if (resting) faults.push('a call starts while the round rests')
        calls.started += 1
        break
      case 'tool.result':
        calls.open.delete(event.data.callId)
        if (event.data.outcome === 'refused' || event.data.outcome === 'denied') calls.fruitless += 1
        break
      case 'round.waiting':
      case 'round.paused':
        // What it waited for came, and something else is still to come when it is looked at again.
        if (resting && !(event.type === 'round.waiting' && until <= event.at)) faults.push('a round rests twice')
        if (event.type === 'round.waiting') until = event.data.until ?? Infinity
        if (openTurn) faults.push('a round rests inside a turn')
        if (event.type === 'round.paused' && calls.open.size > 0) faults.push('a round is paused while a call is owed')
        resting = true
        break
      case 'round.resumed':
        if (!resting && event.data.reason !== 'takeover') faults.push('a round is resumed that did not rest')
        if (resting && event.data.reason === 'takeover') faults.push('a resting round is taken over')
        resting = false
        break
      default:
        break
    }
  }
  const most = protocol === 'triggered' ? Math.min(limits.maxCycles, limits.maxToolCalls) : limits.maxToolCalls
  if (calls.started > most) faults.push(`${calls.started} calls were carried out, ${most} may be`)
  if (protocol === 'triggered' && calls.fruitless > limits.maxFruitless) {
    faults.push(`${calls.fruitless} fruitless attempts, ${limits.maxFruitless} may be`)
  }
  const withTools = ofType(events, 'turn.started').filter((one) => !one.data.last).length
  if (protocol === 'unified' && withTools > limits.maxIterations) faults.push('too many turns may use tools')
  if (ended && openTurn) faults.push('a round ends with an open turn')
  if (ended && calls.open.size > 0) faults.push('a round ends with an open call')
  return [...faults, ...finishFaults(events, ended), ...takeoverFaults(events)]
}

function finishFaults(events: RoundLog['events'], ended: RoundLog['ended']): string[] {
  if (!ended) return []
  const { finishReason } = ended.data
  const last = ofType(events, 'turn.started').some((one) => one.data.last)
  const limited = finishReason === 'iteration_limit' || finishReason === 'tool_limit'
  if (limited && !last) return [`a round ends with ${finishReason} without its last call`]
  if (last && (finishReason === 'complete' || finishReason === 'max_tokens')) {
    return [`a round that came to a limit ends with ${finishReason}`]
  }
  const asked = ofType(events, 'round.asked').some(({ data }) => data.what !== 'pause')
  const answered = finishReason === 'complete' || limited || finishReason === 'max_tokens'
  return asked && answered && !answerBeforeAsking(events) ? ['a cancelled round ends as if it were not'] : []
}

/** The log decides: an answer that was stored before the cancelling was folded in stands. */
function answerBeforeAsking(events: RoundLog['events']): boolean {
  const asked = events.findIndex((event) => event.type === 'round.asked' && event.data.what !== 'pause')
  return events.slice(0, asked).some((event) => event.type === 'message.assistant' && event.data.final)
}

function takeoverFaults(events: RoundLog['events']): string[] {
  const faults: string[] = []
  let without = 0
  for (const event of events) {
    if (event.type === 'round.resumed' && event.data.reason === 'takeover') {
      without += 1
      if (event.data.n !== without) faults.push(`takeover ${without} is numbered ${event.data.n}`)
      if (without > 3) faults.push('a round is taken over a fourth time without progress')
    }
    const moves =
      event.type === 'message.assistant' ||
      event.type === 'approval.decided' ||
      event.type === 'tool.submitted' ||
      (event.type === 'tool.result' && event.data.outcome !== 'unknown')
    if (moves) without = 0
  }
  return faults
}
