import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { compose } from '../../src/app.ts'
import { newHome, segno, serving } from '../scenarios/account/support/cli.ts'
import { house } from '../scenarios/providers/support.ts'
import { encodingsOf } from '../../src/lib/secret-encodings.ts'
import { STORE } from '../support/store-under-test.ts'
import { verifies } from '../support/verifies.ts'

const SECRETS = ['sk-canary-key-4f9c1b77e2d84a06', 'canary-header-77e2d84a06b1', 'canary-query-9c1b77e2d84a']
const [KEY = '', HEADER = '', QUERY = ''] = SECRETS

/** Every file below a folder, as bytes. */
function bytesBelow(folder: string): [string, Buffer][] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => [path, readFileSync(path)])
}

verifies('GOV-6', 'a stored secret is in no answer, log, figure, export, backup or file', async () => {
  const at = await house()
  const home = newHome()
  const server = await serving(home, { SEGNO_PRIVATE_ORIGINS: at.origin, SEGNO_LOG: 'debug' })
  const said: string[] = []
  const ask = async (method: string, path: string, body?: unknown): Promise<string> => {
    const response = await fetch(server.url + path, {
      method,
      ...(body !== undefined && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    })
    const text = await response.text()
    said.push(text)
    return text
  }
  const provider = {
    kind: 'openai-compatible',
    baseURL: at.url,
    key: KEY,
    headers: { 'x-api-key': HEADER },
    query: { token: QUERY },
  }
  await ask('PUT', '/api/providers/house', provider)
  // A server that tells what it was sent, as badly made ones do.
  at.lists = (response) => response.writeHead(500).end(SECRETS.join(' '))
  await ask('POST', '/api/providers/house/test')
  const { id } = JSON.parse(await ask('POST', '/api/sessions', { model: 'house:llama' })) as { id: string }
  await ask('POST', `/api/sessions/${id}/messages?wait=1`, { content: 'Hi' })
  expect(at.requests.some(({ path }) => path.includes(QUERY))).toBe(true)
  await ask('PUT', '/api/providers/house', { ...provider, baseURL: 'ftp://x', key: KEY })
  await ask('PUT', '/api/providers/other', { ...provider, headers: { 'x-api-key': `${HEADER}\n` } })
  await ask('POST', '/api/secrets/rotate')
  for (const path of ['/api/providers', '/api/models', '/api/audit', '/metrics', '/openapi.json', '/ready', '/api/me'])
    await ask('GET', path)
  await ask('GET', `/api/sessions/${id}/export?as=jsonl`)
  await ask('GET', `/api/sessions/${id}/events`)
  const doctor = await segno(home, ['doctor', '--settings'])
  said.push(doctor.out, doctor.err)
  await server.stop()
  said.push(server.heard())
  if (STORE === 'sqlite') {
    const opened = await compose({ home, env: {} }, { passive: true })
    await opened.backup(join(home, 'copy.db'))
    await opened.close()
  }

  const forms = SECRETS.flatMap((secret) => encodingsOf(secret))
  const found = [
    ...said.map((text): [string, Buffer] => ['an answer', Buffer.from(text)]),
    ...bytesBelow(home),
  ].flatMap(([where, bytes]) => forms.filter((form) => bytes.includes(form)).map((form) => `${form} in ${where}`))
  expect(found).toEqual([])
})
