import { describe, expect, test } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import { compatibleServer } from '../../support/compatible-server.ts'
import { verifies } from '../../support/verifies.ts'
import { openSegno } from '../library/support/open-segno.ts'

/** Segno with one model of a server, and what that is sent. */
async function withModel(entry: object, model = 'own-7b') {
  const server = await compatibleServer([{ id: model }])
  const segno = await openSegno({
    builtInTools: true,
    env: {
      OLLAMA_BASE_URL: 'http://127.0.0.1:9',
      SEGNO_PROVIDERS: JSON.stringify({ house: { baseURL: server.baseURL } }),
      SEGNO_MODELS: JSON.stringify({ mine: { provider: 'house', model, ...entry } }),
      SEGNO_MODEL: 'mine',
    },
  })
  const { id } = await segno.createSession()
  const say = async (content: string): Promise<void> => {
    await (
      await segno.streamRequest(id, content)
    ).completion
  }
  const notices = async () => {
    const { items } = await segno.eventPage(LOCAL_OWNER, { sessionId: id, after: 0, limit: 1000, outputs: false })
    const events = items as { type: string; data: { text?: string } }[]
    return events.filter(({ type }) => type === 'notice').map(({ data }) => data.text)
  }
  return { say, notices, sent: () => server.requests.findLast(({ path }) => path.startsWith('/v1/chat'))?.body ?? {} }
}

describe('a model', () => {
  verifies('GOV-22', 'without tools is offered none, and that is said once', async () => {
    const { say, notices, sent } = await withModel({ tools: false })
    await say('hello')
    await say('again')
    expect(sent()).not.toHaveProperty('tools')
    expect(await notices()).toEqual(['mine can use no tools, so it is offered none and answers from what it knows.'])
  })

  test('with tools is offered them', async () => {
    const { say, notices, sent } = await withModel({})
    await say('hello')
    expect(sent()).toHaveProperty('tools')
    expect(await notices()).toEqual([])
  })

  verifies('GOV-22', 'that takes no temperature is sent none, whatever its entry says', async () => {
    const cool = await withModel({ temperature: 0.2 })
    await cool.say('hello')
    expect(cool.sent()).toMatchObject({ temperature: 0.2 })
    const strict = await withModel({ temperature: 0.2, takesTemperature: false })
    await strict.say('hello')
    expect(strict.sent()).not.toHaveProperty('temperature')
  })

  test.each([
    ['own-7b', {}, 'max_tokens', 'max_completion_tokens'],
    ['own-7b', { outputField: 'max_completion_tokens' }, 'max_completion_tokens', 'max_tokens'],
    ['gpt-5.2', {}, 'max_completion_tokens', 'max_tokens'],
  ])('%s with %j is told its longest answer as %s', async (model, entry, field, other) => {
    const { say, sent } = await withModel({ ...entry, maxOutput: 1234 }, model)
    await say('hello')
    expect(sent()).toMatchObject({ [field]: 1234 })
    expect(sent()).not.toHaveProperty(other)
  })
})
