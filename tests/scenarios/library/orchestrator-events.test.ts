import { expect } from 'vitest'
import type { OrchestratorEvent } from '../../../src/contract/channel.ts'
import type { Script } from '../../../src/model/index.ts'
import { probe } from '../../support/probe-tool.ts'
import { verifies } from '../../support/verifies.ts'
import { openSegno } from './support/open-segno.ts'
import { channelMessage, recordingChannel } from './support/recording-channel.ts'

async function eventsOf(model: Script): Promise<OrchestratorEvent[]> {
  const events: OrchestratorEvent[] = []
  const segno = await openSegno({ model, tools: [probe('look')], onEvent: (event) => void events.push(event) })
  const { requestId } = await segno.handleMessage(channelMessage('hi'), recordingChannel())
  for (const event of events) {
    expect(event.requestId).toBe(requestId)
    expect(event.timestamp).toBeInstanceOf(Date)
  }
  return events
}

verifies('ORC-4', 'the library says what happens to a message, in order', async () => {
  const turns = [{ calls: [{ name: 'look' }, { name: 'nothing' }] }, { text: 'hi' }]
  const events = await eventsOf({ scenarios: [{ when: '', turns }] })
  expect(events.map(({ type, data }) => [type, (data as { name?: string }).name])).toEqual([
    ['message_start', undefined],
    ['tool_call', 'look'],
    ['tool_result', 'look'],
    ['tool_call', 'nothing'],
    ['tool_result', 'nothing'],
    ['message_complete', undefined],
  ])
  expect(events.at(-1)?.data).toMatchObject({ finishReason: 'complete' })
})

verifies('ORC-4', 'the library says that a message failed, and why', async () => {
  const events = await eventsOf({ otherwise: { fault: { kind: 'error', status: 401 } } })
  expect(events.map(({ type }) => type)).toEqual(['message_start', 'error'])
  expect(events.at(-1)?.data).toEqual({
    error: expect.stringMatching(/^The model call failed: the key was refused\. \w/) as string,
  })
})
