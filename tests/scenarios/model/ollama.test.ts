import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import { createOllama } from '../../../src/model/ollama/create-ollama.ts'
import { composeUnderTest } from '../../support/compose-under-test.ts'
import { calls, done, ollamaServer, refuses, says, thinks, type OllamaTurn } from '../../support/ollama-server.ts'
import { probe } from '../../support/probe-tool.ts'
import { said } from '../../support/segno-under-test.ts'

const look = () => probe('look', { run: ({ n }) => `shelf ${Number(n)}` })
const LOOKS = [says('Let me look.'), calls({ name: 'look', arguments: { n: 3 } }), done()]
const ANSWERS = [says('It is on '), says('shelf 3.'), done()]

async function openOllama(turns: readonly OllamaTurn[], tool = look()) {
  const home = mkdtempSync(join(tmpdir(), 'segno-ollama-'))
  const { baseURL, requests } = await ollamaServer(turns)
  const segno = await composeUnderTest({
    home,
    env: {},
    durability: 'normal',
    builtInTools: false,
    systemPrompt: 'You work for the library.',
    model: createOllama({ baseURL })('qwen3', { window: 8192 }),
    tools: [tool],
    limits: { RETRY_BASE_MS: 1, DRAIN_MS: 50 },
  })
  onTestFinished(async () => {
    await segno.close()
    rmSync(home, { recursive: true, force: true })
  })
  const { id } = await segno.createSession()
  const ask = async (content: string, protocol: 'unified' | 'triggered') => {
    const round = await segno.streamRequest(id, content, { protocol })
    return { ...(await round.completion), events: await segno.sessions.events(LOCAL_OWNER, id) }
  }
  return { ask, requests, tool }
}

describe.each(['unified', 'triggered'] as const)('%s', (protocol) => {
  test('a round goes from the message over a tool to the answer', async () => {
    const { ask, requests, tool } = await openOllama([LOOKS, ANSWERS])
    const answer = await ask('Where is it?', protocol)
    expect(answer).toMatchObject({ content: 'It is on shelf 3.', finishReason: 'complete' })
    expect(answer.calls).toMatchObject([{ name: 'look', outcome: 'ok' }])
    expect(tool.runs.map(({ args }) => args)).toEqual([{ n: 3 }])
    expect(requests.map(({ options }) => options.num_ctx)).toEqual([8192, 8192])
    for (const { messages } of requests) expect(messages.filter(({ role }) => role === 'system')).toHaveLength(1)
  })

  test('the next round knows the one before, calls and results in pairs', async () => {
    const { ask, requests } = await openOllama([LOOKS, ANSWERS, [says('Yes.'), done()]])
    await ask('Where is it?', protocol)
    expect(await ask('Sure?', protocol)).toMatchObject({ content: 'Yes.', finishReason: 'complete' })
    const messages = requests.at(-1)?.messages ?? []
    expect(messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool', 'assistant', 'user'])
    expect(messages[2]?.tool_calls).toMatchObject([{ function: { name: 'look', arguments: { n: 3 } } }])
    expect(messages[3]).toMatchObject({ tool_name: 'look', tool_call_id: messages[2]?.tool_calls?.[0]?.id })
    expect(messages[3]?.content).toContain('shelf 3')
  })

  test.each([
    ['breaks off', [says('It is'), thinks('…')]],
    ['ends in an error', [says('It is'), { error: 'the runner died' }]],
    ['holds a line that is no JSON', [says('It is'), ['not an object'], done()]],
    ['is refused for now', refuses(503, 'server busy')],
  ] satisfies [string, OllamaTurn][])('an answer that %s is asked for again', async (_, broken) => {
    const { ask } = await openOllama([broken, ANSWERS])
    const answer = await ask('Where is it?', protocol)
    expect(answer).toMatchObject({ content: 'It is on shelf 3.', finishReason: 'complete' })
    expect(said(answer.events, 'turn.retried')).toHaveLength(1)
  })

  test('a model that is not there is not asked for again', async () => {
    const { ask, requests } = await openOllama([refuses(404, "model 'qwen3' not found")])
    const answer = await ask('Where is it?', protocol)
    expect(answer.finishReason).toBe('error')
    expect(requests).toHaveLength(1)
  })
})

test('unified: several calls in one answer run, each with an id of its own', async () => {
  const both = calls({ name: 'look', arguments: { n: 1 } }, { name: 'look', arguments: { n: 2 } })
  const { ask, requests, tool } = await openOllama([[both, done()], ANSWERS])
  await ask('Where is it?', 'unified')
  expect(tool.runs.map(({ args }) => args)).toEqual([{ n: 1 }, { n: 2 }])
  const ids = requests[1]?.messages.flatMap(({ tool_call_id: id }) => (id === undefined ? [] : [id]))
  expect(new Set(ids).size).toBe(2)
})

test('unified: a call of an answer that failed never runs', async () => {
  const broken = [calls({ name: 'look', arguments: { n: 1 } }), { error: 'the runner died' }]
  const { ask, tool } = await openOllama([broken, ANSWERS])
  expect(await ask('Where is it?', 'unified')).toMatchObject({ content: 'It is on shelf 3.' })
  expect(tool.runs).toEqual([])
})

test('triggered: the first call ends the answer, and its result is read in a note before what the user said', async () => {
  const two = [calls({ name: 'look', arguments: { n: 1 } }), calls({ name: 'look', arguments: { n: 2 } }), done()]
  const { ask, requests, tool } = await openOllama([two, ANSWERS])
  await ask('Where is it?', 'triggered')
  expect(tool.runs.map(({ args }) => args)).toEqual([{ n: 1 }])
  expect(requests[1]?.messages.map(({ role }) => role)).toEqual(['system', 'user'])
  expect(requests[1]?.messages[1]?.content).toMatch(/^\[From Segno[^]*shelf 1[^]*Where is it\?$/)
})
