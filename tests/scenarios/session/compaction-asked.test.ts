import { describe, expect } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import { said, segnoUnderTest, type Opening, type SegnoUnderTest } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'
import { ask } from '../http/ask.ts'
import { holder } from '../prompt/support.ts'
import { FILLER, lastWords, ownQuestions, talk } from './support/talk.ts'

const opening: Opening = {
  script: {
    scenarios: [
      { when: '', purpose: 'summary', turns: [{ text: 'They talked about foxes.' }] },
      { when: '^Slowly', turns: [{ text: `Well. ${FILLER}`, deltaChars: 20, delayMs: 20 }] },
    ],
    otherwise: { text: `Noted. ${FILLER}` },
  },
}

const compact = (it: SegnoUnderTest, sessionId = it.sessionId) => ask(it, 'POST', `/api/sessions/${sessionId}/compact`)
const typesOf = async (it: SegnoUnderTest) => (await it.events()).map(({ type }) => type)

describe('who asks for a summary', () => {
  verifies('LIN-7', 'gets it at once where no round is running, and it says who asked', async () => {
    const it = await segnoUnderTest(opening)
    await talk(it, 3)
    const { status, body } = await compact(it)
    expect([status, body['id']]).toEqual([202, it.sessionId])
    expect((await it.until('compact.summary')).data).toMatchObject({
      by: LOCAL_OWNER.id,
      model: 'scripted',
      text: 'They talked about foxes.',
    })
    const [asked] = said(await it.events(), 'model.asked')
    expect(asked).toMatchObject({ purpose: 'summary', because: 'somebody asked for it' })
    await it.ask('And now?')
    expect(lastWords(it)).toContain('They talked about foxes.')
    expect(lastWords(it)).not.toContain('Message 1.')
    expect(lastWords(it), 'the last exchange stays as it is').toContain('Message 3.')
  })

  verifies('LIN-7', 'waits for the round that is running', async () => {
    const it = await segnoUnderTest(opening)
    await talk(it, 2)
    const { completion } = await it.send('Slowly now.')
    await it.until('turn.started', 3)
    expect((await compact(it)).status).toBe(202)
    await completion
    await it.until('compact.summary')
    const types = await typesOf(it)
    expect(types.indexOf('model.asked')).toBeGreaterThan(types.lastIndexOf('round.ended'))
    expect(types.filter((type) => type === 'round.ended')).toHaveLength(3)
  })

  verifies('LIN-7', 'twice while it waits, or in the name of a restart, gets one', async () => {
    const it = await segnoUnderTest({ ...opening, limits: { DRAIN_MS: 0 } })
    await talk(it, 2)
    await it.send('Slowly now.')
    await it.until('turn.started', 3)
    await Promise.all([compact(it), compact(it), compact(it)])
    await it.reopen()
    await it.until('compact.summary')
    await it.ask('And now?')
    for (const type of ['model.asked', 'model.answered'] as const)
      expect((await typesOf(it)).filter((one) => one === type)).toHaveLength(1)
  })

  verifies('LIN-7', 'is told if there is nothing to summarise yet', async () => {
    const it = await segnoUnderTest(opening)
    for (const times of [1, 2]) {
      expect((await compact(it)).status).toBe(202)
      expect((await it.until('model.answered', times)).data).toMatchObject({
        purpose: 'summary',
        failed: 'There is nothing to summarise yet.',
        cost: 0,
      })
      if (times === 1) await it.ask('Just one.')
    }
    expect(ownQuestions(it)).toEqual([])
    expect((await typesOf(it)).filter((type) => type === 'compact.summary')).toEqual([])
  })

  verifies('LIN-7', 'between two messages gets it between them', async () => {
    const it = await segnoUnderTest(opening)
    await talk(it, 2)
    const { completion } = await it.send('Slowly now.')
    await it.until('turn.started', 3)
    const before = await it.send('Before.')
    await compact(it)
    const after = await it.send('After.')
    await Promise.all([completion, before.completion, after.completion])
    const events = await it.events()
    const at = (type: string, requestId?: string) =>
      events.findIndex((event) => event.type === type && (requestId === undefined || event.requestId === requestId))
    expect(at('compact.summary')).toBeGreaterThan(at('round.ended', before.requestId))
    expect(at('compact.summary')).toBeLessThan(at('round.started', after.requestId))
  })

  verifies(['LIN-7', 'GOV-32'], 'of somebody else’s conversation is told that there is none', async () => {
    const it = await segnoUnderTest(opening)
    await talk(it, 2)
    const bobs = await holder(it, 'bob', 'admin', 'local')
    expect(await bobs('POST', `/api/sessions/${it.sessionId}/compact`)).toMatchObject({ status: 404 })
    const readers = await holder(it, LOCAL_OWNER.id, 'auditor', 'local')
    expect((await readers('POST', `/api/sessions/${it.sessionId}/compact`)).status).toBe(403)
    expect(ownQuestions(it)).toEqual([])
  })

  verifies('LIN-7', 'again and again gets smaller and smaller ones to an end', async () => {
    const it = await segnoUnderTest(opening)
    await talk(it, 6)
    for (let times = 1; times <= 6; times += 1) {
      await compact(it)
      await it.until('model.answered', times)
    }
    const events = await it.events()
    const upTos = said(events, 'compact.summary').map(({ upTo }) => upTo)
    expect(upTos).toEqual([...new Set(upTos)].sort((a, b) => a - b))
    expect(said(events, 'model.answered').at(-1)?.failed).toBe('There is nothing to summarise yet.')
    expect((await it.ask('And now?')).finishReason).toBe('complete')
  })
})
