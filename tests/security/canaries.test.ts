import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { newHome, serving } from '../scenarios/account/support/cli.ts'
import { verifies } from '../support/verifies.ts'

/** What people, models, tools and clients say; each place has a word of its own, so that a leak names its source. */
const canary = (place: string): string => `Canary${place}Q7x`

/** Places whose words must be found in the log of a session: without that the test would show nothing. */
const SUNG = [
  'Message',
  'Answer',
  'Reasoning',
  'Argument',
  'RawArgs',
  'MadeUpTool',
  'Output',
  'MissingFile',
  'Denial',
  'Title',
]

interface Said {
  readonly id?: string
  readonly items?: readonly { readonly id: string }[]
}

const SCRIPT = {
  scenarios: [
    {
      when: 'reads',
      turns: [
        {
          text: canary('Answer'),
          reasoning: canary('Reasoning'),
          calls: [
            { name: 'read_file', args: { path: 'note.txt' } },
            { name: 'read_file', args: { path: `${canary('MissingFile')}.txt` } },
            { name: 'calculator', args: { expression: canary('Argument') } },
            { name: canary('MadeUpTool'), args: {} },
            { name: 'read_file', rawArgs: `{"${canary('RawArgs')}` },
          ],
        },
        { text: 'Done.' },
      ],
    },
    {
      when: 'asks',
      turns: [{ calls: [{ name: 'write_file', args: { path: 'x', content: canary('Argument') } }] }, {}],
    },
    { when: 'breaks', turns: [{ text: canary('Answer'), fault: { kind: 'error', status: 400 } }] },
  ],
}

verifies('ORC-11', 'nothing a client says in any part of a request is audited, logged or counted', async () => {
  const home = newHome()
  mkdirSync(join(home, 'workspace'))
  writeFileSync(join(home, 'workspace', 'note.txt'), canary('Output'))
  writeFileSync(join(home, 'script.json'), JSON.stringify(SCRIPT))
  const server = await serving(home, { SEGNO_LOG: 'debug', SEGNO_SCRIPT: join(home, 'script.json') })
  let sent = 0
  const ask = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    sent += 1
    const response = await fetch(server.url + path, {
      method,
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    const isJson = /\/(problem\+)?json/.test(response.headers.get('content-type') ?? '')
    return { text, json: (isJson ? JSON.parse(text) : {}) as Said }
  }

  const { id } = (await ask('POST', '/api/sessions', { title: canary('Title') })).json
  const messages = `/api/sessions/${id}/messages`
  const everywhere = {
    'user-agent': canary('UserAgent'),
    'idempotency-key': canary('IdempotencyKey'),
    referer: `http://x/${canary('Referer')}`,
    cookie: `a=${canary('Cookie')}`,
    'x-request-id': canary('RequestId'),
    'accept-language': canary('Language'),
  }
  await ask('POST', `${messages}?wait=1`, { content: `reads ${canary('Message')}` }, everywhere)
  await ask('POST', `${messages}?wait=1`, { content: `breaks ${canary('Message')}` })
  await ask('POST', `${messages}?wait=1`, { content: `asks ${canary('Message')}` })
  const [approval] = (await ask('GET', '/api/approvals?status=pending')).json.items ?? []
  await ask('POST', `/api/approvals/${approval?.id}`, { decision: 'deny', reason: canary('Denial') })
  await ask('GET', `/api/chats/${id}/stream?message=${canary('QueryMessage')}&key=${canary('QueryKey')}`)
  await ask('POST', '/api/workspaces', { name: canary('Workspace'), instructions: canary('Instructions') })
  const { id: key } = (await ask('POST', '/api/keys', { name: canary('KeyName') })).json

  // What is refused says something too.
  await ask('GET', `/api/sessions/${canary('PathId')}`)
  await ask('GET', `/api/${canary('Path')}`)
  await ask('GET', `/${canary('RootPath')}?${canary('QueryName')}=1`)
  await ask('GET', `/api/sessions?cursor=${canary('Cursor')}`)
  await ask('GET', `/api/audit?action=${canary('Action')}&session=${canary('SessionQuery')}`)
  await ask('GET', `/api/sessions/${id}/events`, undefined, { 'last-event-id': canary('LastEventId') })
  await ask('GET', '/api/sessions', undefined, { authorization: `Bearer ${canary('Key')}` })
  await ask('GET', '/api/sessions', undefined, { authorization: canary('Scheme') })
  await ask('GET', '/api/sessions', undefined, { origin: `http://${canary('Origin')}.example` })
  await ask('GET', '/api/sessions', undefined, { 'x-forwarded-for': canary('Forwarded') })
  await ask('POST', messages, { content: 'x', [canary('FieldName')]: canary('FieldValue') })
  await ask('POST', messages, `{"content": ${canary('BadJson')}`)
  await ask('POST', messages, 'x', { 'content-type': `text/${canary('ContentType')}` })
  await ask('POST', messages, { content: 'x', model: canary('Model') })
  await ask('POST', '/api/keys', { name: 'k', scopes: [canary('Scope')] })
  await ask('POST', '/api/workspaces', { folder: `/${canary('Folder')}` })
  await ask('POST', `/api/calls/${canary('CallId')}/reconcile`, { happened: true, note: canary('Note') })
  await ask('POST', messages, { content: canary('Other') }, { 'idempotency-key': canary('IdempotencyKey') })
  await ask('DELETE', `/api/keys/${key}`)
  await ask(canary('Method').toUpperCase(), '/api/sessions').catch(() => {})

  const log =
    (await ask('GET', `/api/sessions/${id}/events?outputs=1`)).text + (await ask('GET', `/api/sessions/${id}`)).text
  expect(SUNG.filter((place) => !log.includes(canary(place)))).toEqual([])

  const audit = (await ask('GET', '/api/audit/export')).text
  const metrics = (await ask('GET', '/metrics')).text
  await server.stop()
  const told = { audit, metrics, said: server.heard() }
  for (const [where, text] of Object.entries(told))
    expect([where, /\w*canary\w*/i.exec(text)?.[0]]).toEqual([where, undefined])
  expect(audit.split('\n').length).toBeGreaterThan(10)
  expect(metrics).toMatch(/segno_http_requests_total\{.*route="\/api\/sessions/)
  const lines = told.said
    .split('\n')
    .filter((line) => line.includes('"event":"request"') || line.includes('"event":"rejected"'))
  expect(lines.length).toBeGreaterThan(sent - 5)
})
