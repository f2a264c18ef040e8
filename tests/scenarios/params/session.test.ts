import { expect, test } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import type { Model } from '../../../src/model/index.ts'
import { probe } from '../../support/probe-tool.ts'
import { said, segnoUnderTest } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'
import { ask } from '../http/ask.ts'
import { problemOf } from '../library/support/problem-of.ts'

const DONE = { text: 'Done.' }
const without =
  (...what: readonly ('takesTemperature' | 'reasoning' | 'tools')[]) =>
  (model: Model): Model => ({ ...model, key: 'plain', ...Object.fromEntries(what.map((name) => [name, false])) })

verifies('GOV-22', 'parameters of a session hold for its messages, and a message has its own', async () => {
  const u = await segnoUnderTest({ turns: [DONE] })
  const { segno, sessionId } = u
  await segno.sessions.change(LOCAL_OWNER, sessionId, { temperature: 0.1, effort: 'low' })
  await segno.sessions.change(LOCAL_OWNER, sessionId, { maxOutput: 100, effort: null })
  expect(await segno.sessions.get(LOCAL_OWNER, sessionId)).toMatchObject({ temperature: 0.1, maxOutput: 100 })
  await u.reopen()
  await u.ask('Go.')
  await u.ask('Go.', { temperature: 0.9 })
  expect(
    u.requests.map(({ temperature, maxOutputTokens, reasoning }) => [temperature, maxOutputTokens, reasoning]),
  ).toEqual([
    [0.1, 100, undefined],
    [0.9, 100, undefined],
  ])
  expect(await u.segno.sessions.get(LOCAL_OWNER, sessionId)).not.toHaveProperty('effort')
})

verifies('ORC-5', 'a fork answers as the session it came from, and a new session as it was made', async () => {
  const u = await segnoUnderTest({ turns: [DONE] })
  const { segno } = u
  const { id } = await segno.createSession({ temperature: 0.4, tools: [] })
  const { id: fork } = await segno.sessions.fork(LOCAL_OWNER, id, 1)
  expect(await segno.sessions.get(LOCAL_OWNER, fork)).toMatchObject({ temperature: 0.4, tools: [] })
  await u.ask('Go.', { sessionId: fork })
  expect(u.requests[0]?.temperature).toBe(0.4)
})

verifies('REL-3', 'a change that waits for the end of a round holds for the message after it', async () => {
  const u = await segnoUnderTest({ turns: [DONE] })
  await Promise.all([
    u.segno.sessions.change(LOCAL_OWNER, u.sessionId, { temperature: 0.5 }),
    u.segno.sessions.change(LOCAL_OWNER, u.sessionId, { maxOutput: 50 }),
  ])
  await u.ask('Go.')
  expect(u.requests[0]).toMatchObject({ temperature: 0.5, maxOutputTokens: 50 })
})

verifies('GOV-22', 'what the model of a session cannot do is refused when it is set', async () => {
  const u = await segnoUnderTest({ entry: without('takesTemperature', 'reasoning', 'tools') })
  const changing = (changes: object) => problemOf(u.segno.sessions.change(LOCAL_OWNER, u.sessionId, changes))
  expect(await changing({ temperature: 1 })).toMatchObject({ field: 'temperature', code: 'VALIDATION_ERROR' })
  expect((await changing({ temperature: 1 })).message).toContain('plain takes none')
  expect((await changing({ effort: 'low' })).message).toContain('does not think')
  expect((await changing({ toolChoice: 'required' })).message).toContain('has no tools')
  expect((await changing({ maxOutput: 1e6 })).message).toContain('at most 4000')
  expect((await changing({ temperatur: 1 })).message).toContain('"temperature"')
  expect(await problemOf(u.segno.createSession({ temperature: 1 }))).toMatchObject({ field: 'temperature' })
  expect(said(await u.events(), 'session.changed')).toEqual([])
})

verifies('GOV-22', 'what another model cannot do is left out for it, and a notice says so', async () => {
  const u = await segnoUnderTest({ tools: [probe('look')], turns: [DONE] })
  await u.segno.sessions.change(LOCAL_OWNER, u.sessionId, { temperature: 0.5, effort: 'high', maxOutput: 10 })
  await u.reopen({ entry: without('takesTemperature', 'reasoning') })
  const { events, finishReason } = await u.ask('Go.')
  expect(finishReason).toBe('complete')
  expect(u.requests[0]).toMatchObject({ maxOutputTokens: 10 })
  expect(u.requests[0]).not.toHaveProperty('temperature')
  expect(u.requests[0]).not.toHaveProperty('reasoning')
  expect(said(events, 'notice')).toEqual([
    { text: 'plain answers without effort and temperature, which it does not take.', reason: 'left_out' },
  ])
  // A message that asks for it itself is refused.
  expect(await problemOf(u.send('Go.', { temperature: 1 }))).toMatchObject({ field: 'temperature' })
})

verifies('COO-6', 'a fallback that cannot do what was asked does without it, and a notice says so', async () => {
  const failing = { fault: { kind: 'error', status: 401 } } as const
  const u = await segnoUnderTest({
    turns: [failing, DONE],
    entry: (model) => ({ ...model, fallback: 'plain' }),
    others: { plain: without('takesTemperature') },
  })
  const { events, finishReason } = await u.ask('Go.', { temperature: 0.5, maxOutput: 20 })
  expect(finishReason).toBe('complete')
  expect(u.requests.map(({ temperature, maxOutputTokens }) => [temperature, maxOutputTokens])).toEqual([
    [0.5, 20],
    [undefined, 20],
  ])
  expect(said(events, 'notice').map(({ reason }) => reason)).toEqual(['fallback', 'left_out'])
  expect(said(events, 'turn.retried')[0]?.sent?.params).not.toHaveProperty('temperature')
})

test('over HTTP a session takes, shows and forgets them', async () => {
  const u = await segnoUnderTest({ turns: [DONE] })
  const { id } = (await ask(u, 'POST', '/api/sessions', { temperature: 0.2, toolChoice: 'none' })).body as {
    id: string
  }
  const changed = await ask(u, 'PATCH', `/api/sessions/${id}`, { temperature: null, maxOutput: 9 })
  expect(changed).toMatchObject({ status: 200, body: { toolChoice: 'none', maxOutput: 9 } })
  expect(changed.body).not.toHaveProperty('temperature')
  const refused = await ask(u, 'PATCH', `/api/sessions/${id}`, { effort: 'much' })
  expect(refused).toMatchObject({ status: 400, body: { errors: [{ field: 'effort' }] } })
})
