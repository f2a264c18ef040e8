import { expect } from 'vitest'
import { tempHome } from '../scenarios/library/support/open-segno.ts'
import { ask, newSession } from '../server/support/ask.ts'
import { serverChild } from '../server/support/server-child.ts'
import { verifies } from '../support/verifies.ts'

const schema = { type: 'object', properties: { got: { type: 'object' } }, required: ['got'] }

/** Resolves when the round has ended, which closes the stream of its events. */
async function ended(url: string, sessionId: string, requestId: string) {
  const path = `/api/sessions/${sessionId}/events?round=${requestId}`
  await ask(url, 'GET', path, undefined, { accept: 'text/event-stream' })
  return (await ask(url, 'GET', `/api/rounds/${requestId}`)).body
}

verifies(
  ['REL-1', 'REL-4', 'GOV-22'],
  'a server killed as soon as it has taken messages answers them as they were asked, begun or not',
  async () => {
    const home = tempHome()
    const stall = { text: 'hm', fault: { kind: 'stall' } } as const
    const first = await serverChild({ home, script: { otherwise: stall } })
    const session = await newSession(first.url)
    await ask(first.url, 'PATCH', `/api/sessions/${session}`, { temperature: 0.1, maxOutput: 300 })
    const send = async (params: object) => {
      const body = { content: 'Go.', output: { schema }, ...params }
      const { status, body: taken } = await ask(first.url, 'POST', `/api/sessions/${session}/messages`, body)
      expect(status).toBe(202)
      return taken.requestId ?? ''
    }
    const begun = await send({ effort: 'low', tools: [] })
    const queued = await send({ temperature: 0.9, toolChoice: 'none', tools: ['calculator'] })
    await first.kill()

    // The first answer is no JSON, so that the retry after a restart has its schema too.
    const turns = [{ text: 'Well.' }, { text: '{"got": {{params}}}' }]
    const { url } = await serverChild({ home, script: { scenarios: [{ when: '', turns }] } })
    expect(await ended(url, session, begun)).toMatchObject({
      finishReason: 'complete',
      output: { got: { effort: 'low', temperature: 0.1, maxOutput: 300 } },
    })
    expect(await ended(url, session, queued)).toMatchObject({
      finishReason: 'complete',
      output: { got: { temperature: 0.9, maxOutput: 300, tools: ['calculator'], toolChoice: 'none' } },
    })
    expect((await ask(url, 'GET', `/api/sessions/${session}`)).body).toMatchObject({ temperature: 0.1, maxOutput: 300 })
  },
  60_000,
)
