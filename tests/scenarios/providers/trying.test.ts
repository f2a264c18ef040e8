import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { ollamaServer } from '../../support/ollama-server.ts'
import { asking } from '../http/asking.ts'
import { compatible, KEY, withHouse } from './support.ts'

const PATH = '/api/providers/house'

const trying = async (lists?: (response: ServerResponse) => unknown, body?: object) => {
  const { it, at } = await withHouse()
  if (lists) at.lists = lists
  await it.http('PUT', PATH, compatible(at.url))
  const { status, body: said } = await it.http('POST', `${PATH}/test`, body)
  return { status, said, at }
}

test('a provider that answers says how many models it has, asked with its key', async () => {
  const { status, said, at } = await trying()
  expect([status, said]).toEqual([200, { ok: true, message: 'It answers, and lists 2 models.' }])
  expect(at.requests[0]).toMatchObject({ path: '/v1/models', headers: { authorization: `Bearer ${KEY}` } })
})

test.each([
  [401, 'It does not work: the key was refused.'],
  [403, 'It does not work: access was refused.'],
  [429, 'It does not work: rate limited.'],
  [500, 'It does not work: the provider answered 500.'],
  [301, 'It does not work: the provider is at another address now.'],
])('a provider that answers %i is told in plain words, never its own', async (status, message) => {
  const { said } = await trying((response) => response.writeHead(status, { location: '/x' }).end('SECRET BODY'))
  expect(said).toEqual({ ok: false, message })
})

test.each(['<html>SECRET</html>', '{"data": 3}', 'null', ''])('an answer that is no list says so: %s', async (text) => {
  const { said } = await trying((response) => response.writeHead(200).end(text))
  expect(said).toMatchObject({ ok: false, message: expect.stringContaining('is the base URL right?') as string })
})

test('a server without a list wants the name of a model, and is asked for a word with it', async () => {
  const none = (response: ServerResponse) => response.writeHead(404).end()
  expect((await trying(none)).said).toMatchObject({
    ok: false,
    message: expect.stringContaining('name one to try') as string,
  })
  const { said, at } = await trying(none, { model: 'llama' })
  expect(said).toEqual({ ok: true, message: 'It answers: the model said something.' })
  // The list may be asked for once more in the background.
  expect(new Set(at.requests.map(({ path }) => path))).toEqual(new Set(['/v1/models', '/v1/chat/completions']))
})

test('a server that says nothing is given up after a while', async () => {
  const { it, at } = await withHouse()
  at.lists = () => {}
  await it.http('PUT', PATH, compatible(at.url))
  await it.reopen({ limits: { PROVIDER_TEST_MS: 50 } })
  expect((await it.http('POST', `${PATH}/test`)).body).toEqual({
    ok: false,
    message: 'It did not answer in time (limit PROVIDER_TEST_MS).',
  })
})

test('a server that is not there, or that nobody may reach any more, is told', async () => {
  const { it, at } = await withHouse()
  await it.http('PUT', PATH, compatible(at.url))
  await it.reopen({ env: {} })
  expect((await it.http('POST', `${PATH}/test`)).body).toMatchObject({
    ok: false,
    message: expect.stringContaining('SEGNO_PRIVATE_ORIGINS') as string,
  })
  expect(at.requests).toEqual([])
})

test.each(['', '/v1', '/api/'])('an Ollama is asked for its list under an address that ends in "%s"', async (end) => {
  const { baseURL } = await ollamaServer([], ['qwen3:latest', 'gemma4:27b'])
  const it = await asking({ env: { OLLAMA_BASE_URL: `${baseURL}${end}` } })
  expect((await it.http('POST', '/api/providers/ollama/test')).body).toEqual({
    ok: true,
    message: 'It answers, and lists 2 models.',
  })
})

test('nobody can try what is not there', async () => {
  const it = await asking({})
  expect((await it.http('POST', '/api/providers/nope/test')).status).toBe(404)
})
