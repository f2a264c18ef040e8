import { expect } from 'vitest'
import { probe } from '../support/probe-tool.ts'
import { followStream } from '../support/sse-client.ts'
import { verifies } from '../support/verifies.ts'
import { logOf, newSession } from './support/ask.ts'
import { served } from './support/served.ts'

const model = {
  scenarios: [
    { when: '', turns: [{ text: 'Let me look. ', calls: [{ name: 'look' }], deltaChars: 4 }, { text: 'Found it.' }] },
  ],
}

verifies('GOV-17', 'a chat is told in typed frames whose ids are stored events, deltas with their offset', async () => {
  const { url } = await served({ model, tools: [probe('look')] })
  const id = await newSession(url)
  const client = followStream({ url: `${url}/api/chats/${id}/stream`, body: { content: 'Go.' }, comesBack: false })
  await client.over
  const names = client.frames.map(({ event }) => event)
  expect(names.filter((name, at) => name !== names[at - 1])).toEqual([
    'message.start',
    'message.delta',
    'tool.start',
    'tool.complete',
    'message.delta',
    'message.complete',
    'done',
  ])
  const stored = new Set((await logOf(url, id)).map(({ seq }) => seq))
  for (const { id: frame, event, data } of client.frames) {
    expect(Object.keys(data)).toEqual(['type', 'data'])
    expect(data.type).toBe(event)
    if (frame === undefined) continue
    const [seq, offset] = frame.split('.').map(Number)
    expect([event, stored.has(seq ?? 0)]).toEqual([event, true])
    expect([event, offset === undefined]).toEqual([event, event !== 'message.delta'])
  }
})
