import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { STORE } from '../../support/store-under-test.ts'
import { verifies } from '../../support/verifies.ts'
import { writtenIn } from '../../support/written-in.ts'
import { newHome, segno, serving } from '../account/support/cli.ts'
import { signed } from './support/automated.ts'
import { receiver } from './support/receiver.ts'

/** Words of this test alone, such that no store can keep them any shorter. */
const canary = (about: string): string => `canary${about}${randomBytes(12).toString('hex')}`

const WORDS = {
  message: canary('message'),
  answer: canary('answer'),
  argument: canary('argument'),
  output: canary('output'),
  named: canary('named'),
  input: canary('input'),
  result: canary('result'),
  error: canary('error'),
  raw: canary('raw'),
  payload: canary('payload'),
  waiting: canary('waiting'),
  hooked: canary('hooked'),
  said: canary('said'),
}

/** Those that belong to a conversation, and are erased with it. */
const OF_THE_CONVERSATION = ['message', 'answer', 'argument', 'output', 'named', 'said'] as const

const SCRIPT = {
  scenarios: [
    {
      when: WORDS.message,
      turns: [
        { text: 'Let me see.', calls: [{ name: 'workflow_called', args: { text: WORDS.argument } }] },
        { text: WORDS.answer },
      ],
    },
    { when: '', turns: [{ text: 'I see.' }] },
  ],
}

/** Which of the words are in a text. */
const sungIn = (text: string): string[] =>
  Object.entries(WORDS).flatMap(([name, word]) => (text.includes(word) ? [name] : []))

/** Everything that is kept of a home, the way another program would find it. */
async function kept(home: string): Promise<string> {
  if (STORE === 'postgres') return writtenIn(home)
  const files = readdirSync(home, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'latin1')).join('\n')
}

interface Said {
  readonly id: string
  readonly secret: string
  readonly items: readonly Readonly<Record<string, unknown>>[]
}

async function opened() {
  const home = newHome()
  const script = join(newHome(), 'script.json')
  writeFileSync(script, JSON.stringify(SCRIPT))
  const outside = await receiver()
  outside.answer(({ path }) => {
    if (path === '/called') return { text: WORDS.output, executionId: WORDS.named }
    if (path === '/wrong') return { text: WORDS.raw }
    if (path === '/later' || path === '/slow') return 202
    return path === '/told' ? 500 : 200
  })
  const env = { SEGNO_LOG: 'debug', SEGNO_SCRIPT: script, SEGNO_WORKFLOW_ORIGINS: outside.origin }
  const server = await serving(home, env)

  async function ask(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    const response = await fetch(server.url + path, {
      method,
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path} was answered with ${response.status}: ${text}`)
    const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false
    return { text, json: (isJson ? JSON.parse(text) : {}) as Said }
  }

  async function workflow(name: string, more: object = {}): Promise<string> {
    const about = { description: `Does ${name}.`, engine: 'http', target: { url: `${outside.origin}/${name}` } }
    const wanted = { name, ...about, input: { type: 'object' }, effect: 'keyed', approval: 'auto', ...more }
    return (await ask('POST', '/api/workflows', wanted)).json.id
  }

  const statuses = async (path: string) => (await ask('GET', path)).json.items.map(({ status }) => status)
  return { home, outside, server, ask, workflow, statuses }
}

/** Lets every word go everywhere that it can go. */
async function sing({ outside, ask, workflow, statuses }: Awaited<ReturnType<typeof opened>>) {
  const webhook = async (path: string, events: readonly string[], content: boolean): Promise<string> =>
    (await ask('POST', '/api/webhooks', { url: `${outside.origin}${path}`, events, content })).json.id
  await webhook('/plain', ['*', 'order.paid', 'order.waits'], false)
  const told = await webhook('/told', ['order.waits'], true)

  const { id: sessionId } = (await ask('POST', '/api/sessions', {})).json
  await workflow('called')
  await ask('POST', `/api/sessions/${sessionId}/messages?wait=1`, { content: `Go, ${WORDS.message}` })

  const run = async (name: string, text: string, more: object = {}): Promise<string> =>
    (await ask('POST', `/api/workflows/${await workflow(name, more)}/invoke`, { input: { text } })).json.id
  const later = await run('later', WORDS.input)
  await outside.until('/later')
  const slow = await run('slow', WORDS.input)
  await outside.until('/slow')
  await ask('POST', `/api/invocations/${later}/result`, { status: 'success', output: { text: WORDS.result } })
  await ask('POST', `/api/invocations/${slow}/result`, { status: 'failure', error: WORDS.error })
  const output = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] }
  await run('wrong', WORDS.input, { output })

  const listens = await workflow('listens')
  await ask('POST', '/api/triggers', { event: 'order.paid', workflowId: listens })
  await ask('POST', '/api/events', { type: 'order.paid', payload: { text: WORDS.payload } })
  await ask('POST', '/api/events', { type: 'order.waits', payload: { text: WORDS.waiting } })

  const hook = async (name: string, action: object, word: string): Promise<void> => {
    const { secret } = (await ask('POST', '/api/hooks', { name, action })).json
    const body = JSON.stringify({ text: word })
    await ask('POST', `/api/hooks/${name}`, body, signed(secret, body))
  }
  await hook('runs', { does: 'workflow', workflowId: listens }, WORDS.hooked)
  await hook('says', { does: 'message', sessionId, content: 'Look: {{payload.text}}' }, WORDS.said)
  await Promise.all([outside.until('/listens', 2), outside.until('/told'), outside.until('/plain', 6)])
  await expect.poll(async () => new Set(await statuses('/api/invocations'))).toEqual(new Set(['success', 'failure']))
  return { sessionId, told }
}

verifies(
  'ORC-11',
  'no word that automations were given is told to a webhook without content, logged or audited, or left once it is erased',
  async () => {
    const it = await opened()
    const { home, server, ask, outside } = it
    const { sessionId, told } = await sing(it)

    const plain = outside.to('/plain').map(({ body, headers }) => body + JSON.stringify(headers))
    expect(sungIn(plain.join('\n'))).toEqual([])
    expect(
      sungIn(
        outside
          .to('/told')
          .map(({ body }) => body)
          .join('\n'),
      ),
    ).toEqual(['waiting'])
    const audit = (await ask('GET', '/api/audit/export')).text
    expect(sungIn(audit + (await ask('GET', '/metrics')).text)).toEqual([])
    expect(audit).toContain('event_reported')
    // Otherwise it would show nothing that they are gone.
    const log = (await ask('GET', `/api/sessions/${sessionId}/events?outputs=1`)).text
    const runs = (await ask('GET', '/api/invocations')).text
    expect(sungIn(log + runs + outside.to('/told')[0]?.body).toSorted()).toEqual(Object.keys(WORDS).toSorted())

    const ofRuns = ['argument', 'output', 'input', 'result', 'error', 'raw', 'payload', 'waiting', 'hooked']
    expect(sungIn(await kept(home))).toEqual(expect.arrayContaining(ofRuns))

    await ask('DELETE', `/api/sessions/${sessionId}`)
    const called = async () => sungIn((await ask('GET', '/api/invocations')).text)
    await expect.poll(called).not.toContain('argument')
    expect((await called()).filter((name) => OF_THE_CONVERSATION.some((one) => one === name))).toEqual([])
    expect(await called()).toContain('input')

    const erased = await segno(home, ['workflows', 'forget', '--yes'])
    expect([erased.code, erased.err]).toEqual([0, ''])
    const left =
      (await ask('GET', '/api/invocations')).text + (await ask('GET', `/api/webhooks/${told}/deliveries`)).text
    expect(sungIn(left)).toEqual([])
    expect((await ask('GET', '/api/audit?action=invocations_erased')).text).toContain('"holder":"owner"')

    await server.stop()
    expect(sungIn(server.heard())).toEqual([])
    if (STORE === 'sqlite') expect((await segno(home, ['db', 'compact'])).code).toBe(0)
    expect(sungIn(await kept(home))).toEqual([])
  },
  120_000,
)
