import { expect } from 'vitest'
import type { Frame } from '../../../src/stream/index.ts'
import { probe } from '../../support/probe-tool.ts'
import { said, segnoUnderTest, type ScriptedTurn } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'

const cut = (text: string): ScriptedTurn => ({ text, deltaChars: 4, fault: { kind: 'cut', afterDeltas: 2 } })

/** What a follower sees of a round: text as it grows, retries and resets. */
async function followed(turns: readonly ScriptedTurn[]) {
  const segno = await segnoUnderTest({ tools: [probe('look')], turns })
  const seen: string[] = []
  const watching = (async () => {
    for await (const frame of segno.segno.follow(segno.sessionId)) {
      note(seen, frame)
      if (frame.kind === 'event' && frame.event.type === 'round.ended') return
    }
  })()
  const answer = await segno.ask()
  await watching
  return { seen, ...answer }
}

/** Deltas that follow each other are one entry, however they were cut. */
function note(seen: string[], frame: Frame): void {
  if (frame.kind === 'event') {
    if (frame.event.type === 'turn.retried') seen.push('retried')
  } else if (frame.kind === 'dropped') seen.push('dropped')
  else if (frame.pulse.type === 'reset') seen.push(`reset ${frame.pulse.turn}`)
  else if (frame.pulse.offset === 0 && frame.pulse.text !== '') seen.push(`said ${frame.pulse.text}`)
  else if (frame.pulse.text !== '') seen.push(`${seen.pop()}${frame.pulse.text}`)
}

verifies('ORC-12', 'text that was shown is taken back before the model starts again', async () => {
  const { seen, content } = await followed([cut('It was never so'), { text: 'So.' }])
  expect(seen).toEqual(['said It was n', 'retried', 'reset 1', 'said So.'])
  expect(content).toBe('So.')
})

verifies('ORC-12', 'nothing is taken back when nothing was shown', async () => {
  const { seen } = await followed([{ fault: { kind: 'cut' } }, { text: 'So.' }])
  expect(seen).toEqual(['retried', 'said So.'])
})

verifies('ORC-12', 'arguments that were shown are taken back too', async () => {
  const args = { path: 'a/long/way/home' }
  const broken: ScriptedTurn = { calls: [{ name: 'look', args }], argDeltas: 4, fault: { kind: 'cut', afterDeltas: 2 } }
  const { seen, events } = await followed([broken, { text: 'So.' }])
  expect(seen.slice(1)).toEqual(['retried', 'reset 1', 'said So.'])
  expect(said(events, 'tool.call')).toEqual([])
})

verifies('ORC-12', 'a turn is taken back once; the second time it ends with what it had said', async () => {
  const { seen, events, finishReason } = await followed([cut('It was never so'), cut('Nor like that'), { text: 'So.' }])
  expect(seen.filter((one) => one === 'reset 1')).toHaveLength(1)
  expect(said(events, 'message.assistant')[0]).toMatchObject({
    content: [{ type: 'text', text: 'Nor like' }],
    interrupted: true,
  })
  expect(finishReason).toBe('error')
})

verifies('ORC-12', 'failures before anything new is shown do not count against that', async () => {
  const silent: ScriptedTurn = { fault: { kind: 'error', status: 500 } }
  const { seen, content } = await followed([cut('It was never so'), silent, silent, { text: 'So.' }])
  expect(seen).toEqual(['said It was n', 'retried', 'reset 1', 'retried', 'retried', 'said So.'])
  expect(content).toBe('So.')
})

verifies('ORC-12', 'each turn may be taken back once', async () => {
  const broken = { ...cut('Let me see'), calls: [{ name: 'look' }] }
  const { seen, content } = await followed([
    broken,
    { calls: [{ name: 'look' }] },
    cut('It was never so'),
    { text: 'So.' },
  ])
  expect(seen.filter((one) => one.startsWith('reset'))).toEqual(['reset 1', 'reset 2'])
  expect(content).toBe('So.')
})

verifies('ORC-12', 'a call of an attempt that failed is not carried out', async () => {
  const tool = probe('look')
  const whole: ScriptedTurn = { calls: [{ name: 'look' }], fault: { kind: 'cut', afterDeltas: 9 } }
  const segno = await segnoUnderTest({ tools: [tool], turns: [whole, { text: 'So.' }] })
  await segno.ask('Go.', { protocol: 'unified' })
  expect(tool.runs).toEqual([])
})
