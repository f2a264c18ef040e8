import { expect } from 'vitest'
import { probe } from '../support/probe-tool.ts'
import { endsRound, followStream, place, type SseRequest } from '../support/sse-client.ts'
import { verifies } from '../support/verifies.ts'
import { ask, newSession } from './support/ask.ts'
import { lateStore } from './support/late-store.ts'
import { served } from './support/served.ts'

const LATE_MS = 200
const pace = { deltaChars: 4, delayMs: 5 }
const model = {
  scenarios: [
    {
      when: '',
      turns: [
        { text: 'Let me look. ', calls: [{ name: 'look' }], ...pace },
        { text: 'There it is, found.', ...pace },
      ],
    },
  ],
}

const WAYS: Readonly<Record<string, (url: string, id: string) => SseRequest>> = {
  native: (url, id) => ({ url: `${url}/api/sessions/${id}/messages`, body: { content: 'Go.' } }),
  phased: (url, sessionId) => ({
    url: `${url}/api/chat/messages_two_stage`,
    body: { content: 'Go.', sessionId },
  }),
  chat: (url, id) => ({ url: `${url}/api/chats/${id}/stream`, body: { content: 'Go.' } }),
  turns: (url, id) => ({ url: `${url}/api/sessions/${id}/request`, body: { content: 'Go.' } }),
}

/** Frames with an id, and those that came before what their id stands for was on disk, in every dialect. */
async function watch(tellsEarly: boolean) {
  const { durable, wrap } = lateStore(LATE_MS, tellsEarly)
  const { url } = await served(
    { model, tools: [probe('look', { effect: 'unsafe' })], env: { TWO_STAGE_ENABLED: 'true' } },
    { store: wrap },
  )
  const watching = Object.entries(WAYS).map(async ([dialect, way]) => {
    const sessionId = await newSession(url)
    const seen: { seq: number; what: string; moment: number }[] = []
    const client = followStream({
      ...way(url, sessionId),
      comesBack: false,
      onFrame({ id, event }) {
        if (id !== undefined) seen.push({ seq: place(id)[0], what: `${event} ${id}`, moment: durable.now() })
      },
    })
    await client.over
    const early = seen.filter(({ seq, moment }) => moment < durable.event(sessionId, seq)).map(({ what }) => what)
    return { dialect, frames: seen.length, early, ended: client.frames.some(endsRound) }
  })
  return Promise.all(watching)
}

verifies(
  ['REL-1', 'GOV-17'],
  'no frame with an id reaches a client before what it stands for is on disk, in any dialect',
  async () => {
    for (const { dialect, frames, early, ended } of await watch(false)) {
      expect([dialect, early]).toEqual([dialect, []])
      expect([dialect, ended, frames >= 8]).toEqual([dialect, true, true])
    }
  },
)

verifies('REL-1', 'the same check finds a store that tells of its commits before it makes them', async () => {
  const found = await watch(true)
  expect(found.map(({ dialect, early }) => [dialect, early.length > 0])).toEqual(
    Object.keys(WAYS).map((dialect) => [dialect, true]),
  )
})

verifies('REL-1', 'no message is answered with 2xx before it is on disk, whether it starts or waits', async () => {
  const { durable, wrap } = lateStore(LATE_MS)
  const { url } = await served({ model, tools: [probe('look')] }, { store: wrap })
  const id = await newSession(url)
  const answers = await Promise.all(
    ['one', 'two', 'three'].map(async (content) => {
      const { status, body } = await ask(url, 'POST', `/api/sessions/${id}/messages`, { content })
      return { status, state: body.state, requestId: body.requestId ?? '', moment: durable.now() }
    }),
  )
  expect(answers.map(({ state }) => String(state)).sort()).toEqual(['queued', 'queued', 'running'])
  for (const { status, requestId, moment } of answers) {
    expect(status).toBe(202)
    expect(durable.message(requestId)).toBeLessThan(moment)
  }
})
