import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AuditRow } from '../../src/contract/audit.ts'
import { LOCAL_OWNER } from '../../src/contract/actor.ts'
import { verifies } from '../support/verifies.ts'
import { ask, readProblem, type Answer, type Asking } from './support/ask.ts'
import { belongings, nothingThere, PRIVATE_WORD, type Belongings } from './support/belongings.ts'
import { CALLS, type Call } from './support/calls.ts'
import { startMcpServers } from './support/mcp-servers.ts'
import { readOperations, type Operation } from './support/operations.ts'
import { openStage, type Stage } from './support/stage.ts'

/** What is recorded of those who are refused. */
const REFUSALS = new Set(['access_denied', 'sign_in_failed'])

const EVERY_PERMISSION = [
  'chat:read',
  'chat:write',
  'memory:read',
  'memory:write',
  'knowledge:read',
  'knowledge:write',
  'knowledge:review',
  'knowledge:publish',
  'prompt:read',
  'prompt:write',
  'prompt:review',
  'prompt:publish',
  'tool:invoke',
  'tool:manage',
  'workflow:manage',
  'user:manage',
  'role:assign',
  'audit:read',
  'trace:read',
]

const strict = await openStage({ SEGNO_REQUIRE_KEY: 'on' }, {}, await startMcpServers())
afterAll(() => strict.close())

const operations = await readOperations(strict.segno)
const guarded = operations.filter(({ needs }) => needs !== 'anyone')

/** What is compared after each grows with what was made for those before, so there is a new Segno now and then. */
const OF_ONE_SEGNO = 25
const groups = Map.groupBy(guarded, (one) => Math.floor(guarded.indexOf(one) / OF_ONE_SEGNO))
let stage: Stage

interface Keys {
  readonly right: string
  readonly otherTenant: string
  readonly otherUser: string
  /** everything but what is needed; undefined where nothing is */
  readonly tooWeak: string | undefined
  /** what the description names, without what is needed besides */
  readonly lacksAnother: string | undefined
  /** to change something of one's own one must also be able to see it */
  readonly writesBlindly: string
  readonly expired: string
  readonly revoked: string
  readonly rightId: string
}

/** Keys with exactly what an operation needs, and those that lack something. */
async function keysFor({ segno, key, pass }: Stage, needs: string, { also }: Call): Promise<Keys> {
  const tenant = 'acme'
  const named = needs === 'known' ? ['memory:read'] : needs === 'operator' ? [needs] : [needs, 'chat:read']
  const enough = also === undefined ? named : [...named, also]
  // All rights within a tenant are not enough to run the installation, whatever the tenant is called.
  const weak = needs === 'operator' ? ['*'] : EVERY_PERMISSION.filter((one) => one !== needs)
  const expired = await key(tenant, 'ada', enough, 1000)
  pass(1000)
  const revoked = await key(tenant, 'ada', enough)
  await segno.keys.revoke(LOCAL_OWNER, revoked.id)
  const right = await key(tenant, 'ada', enough)
  return {
    right: right.text,
    rightId: right.id,
    otherTenant: (await key('rival', 'ada', enough)).text,
    otherUser: (await key(tenant, 'eve', enough)).text,
    tooWeak: needs === 'known' ? undefined : (await key(needs === 'operator' ? 'local' : tenant, 'ada', weak)).text,
    lacksAnother: also === undefined ? undefined : (await key(tenant, 'ada', named)).text,
    writesBlindly: (await key(tenant, 'ada', ['chat:write'])).text,
    expired: expired.text,
    revoked: revoked.text,
  }
}

describe.each([...groups.values()].map((some) => ({ some })))('group %#', ({ some }) => {
  beforeAll(async () => void (stage = await openStage({}, {}, await startMcpServers())))
  afterAll(() => stage.close())

  describe.each(some)('$method $path', (operation) => {
    let its: Belongings
    let keys: Keys
    let call: Call
    beforeAll(async () => {
      its = await belongings(stage, operation.path)
      call = callOf(operation, its)
      keys = await keysFor(stage, operation.needs, call)
    })

    const send = (asking: Asking, on: Stage = stage, wanted = call): Promise<Answer> =>
      ask(on.segno, operation.method, wanted.path, {
        ...asking,
        ...(wanted.body !== undefined && { body: wanted.body }),
        ...(wanted.headers && { headers: { ...wanted.headers, ...asking.headers } }),
      })

    verifies('GOV-32', 'is refused to everybody it does not concern, changes nothing and tells nothing', async () => {
      const wrong = keys.right.slice(0, -1) + (keys.right.endsWith('0') ? '1' : '0')
      const refusals: [who: string, asking: Asking, status: number, code: string][] = [
        ['a malformed key', { key: 'nonsense' }, 401, 'KEY_INVALID'],
        ['no bearer', { headers: { authorization: `Basic ${keys.right}` } }, 401, 'KEY_INVALID'],
        ['an empty header', { headers: { authorization: '' } }, 401, 'KEY_INVALID'],
        ['an unknown key', { key: `segno_${'0'.repeat(16)}_${'0'.repeat(64)}` }, 401, 'KEY_INVALID'],
        ['a known key with another secret', { key: wrong }, 401, 'KEY_INVALID'],
        ['an expired key', { key: keys.expired }, 401, 'KEY_INVALID'],
        ['a revoked key', { key: keys.revoked }, 401, 'KEY_INVALID'],
        ['a forwarded request', { headers: { 'x-forwarded-for': '10.0.0.1' } }, 401, 'KEY_REQUIRED'],
        ['another forwarded request', { headers: { forwarded: 'for=10.0.0.1' } }, 401, 'KEY_REQUIRED'],
        ['a foreign Host', { headers: { host: 'evil.example' } }, 401, 'KEY_REQUIRED'],
        ['a foreign Origin', { headers: { origin: 'http://evil.example' } }, 403, 'FOREIGN_ORIGIN'],
        ['a foreign Origin with a key', { key: keys.right, headers: { origin: 'null' } }, 403, 'FOREIGN_ORIGIN'],
        ['another site', { headers: { 'sec-fetch-site': 'cross-site' } }, 403, 'FOREIGN_ORIGIN'],
        [
          'another site with a key',
          { key: keys.right, headers: { 'sec-fetch-site': 'same-site' } },
          403,
          'FOREIGN_ORIGIN',
        ],
      ]
      if (keys.tooWeak !== undefined)
        refusals.push(['a key without the permission', { key: keys.tooWeak }, 403, 'PERMISSION_DENIED'])
      if (keys.lacksAnother !== undefined)
        refusals.push(
          call.alsoHides
            ? [`a key without ${call.also}`, { key: keys.lacksAnother }, 404, 'NOT_FOUND']
            : [`a key without ${call.also}`, { key: keys.lacksAnother }, 403, 'PERMISSION_DENIED'],
        )
      if (call.otherUser === 'hidden' && operation.needs !== 'known')
        refusals.push(['a key that may not read', { key: keys.writesBlindly }, 403, 'PERMISSION_DENIED'])
      for (const [fate, key] of [
        [call.otherTenant, keys.otherTenant],
        [call.otherUser, keys.otherUser],
      ] as const) {
        if (fate === 'hidden') refusals.push(['somebody it is hidden from', { key }, 404, 'NOT_FOUND'])
        if (fate === 'denied') refusals.push(['somebody who may not', { key }, 403, 'PERMISSION_DENIED'])
      }

      const before = await stage.dump()
      const audited = await auditRows(stage)
      for (const [who, asking, status, code] of refusals) {
        const answer = await send(asking)
        const told = readProblem(answer)
        expect([answer.status, told.code], who).toEqual([status, code])
        expect(answer.headers.get('www-authenticate') === 'Bearer', who).toBe(status === 401)
        expect(leaks(answer, its, keys, call), who).toEqual([])
      }
      expect(await stage.dump()).toEqual(before)
      expect(newActions(await auditRows(stage), audited).filter((action) => !REFUSALS.has(action))).toEqual([])
    })

    verifies('GOV-32', 'looks to others the same whether it is there or not', async () => {
      const absent = nothingThere()
      for (const [fate, key] of [
        [call.otherTenant, keys.otherTenant],
        [call.otherUser, keys.otherUser],
      ] as const) {
        if (fate !== 'hidden') continue
        const hidden = await send({ key })
        const missing = await send({ key }, stage, callOf(operation, absent))
        expect(nameless(missing, absent)).toEqual(nameless(hidden, its))
      }
    })

    test('shows others who may use it nothing that is not theirs', async () => {
      for (const [fate, key] of [
        [call.otherTenant, keys.otherTenant],
        [call.otherUser, keys.otherUser],
      ] as const) {
        if (fate !== 'own') continue
        const answer = await send({ key })
        expect(answer.status, answer.text).toBe(200)
        expect(leaks(answer, its, keys, call)).toEqual([])
      }
    })

    test('needs a key where everybody does', async () => {
      const before = await strict.dump()
      const answer = await send({}, strict)
      expect([answer.status, readProblem(answer).code]).toEqual([401, 'KEY_REQUIRED'])
      expect(await strict.dump()).toEqual(before)
    })

    test('is there for its owner, and for whom it is shared with', async () => {
      const rightful = await send({ key: keys.right })
      expect(rightful.status, rightful.text).toBeGreaterThanOrEqual(200)
      expect(rightful.status, rightful.text).toBeLessThan(300)
      for (const [fate, key] of [
        [call.otherTenant, keys.otherTenant],
        [call.otherUser, keys.otherUser],
      ] as const) {
        if (fate !== 'shared') continue
        const shared = await send({ key }, stage, callOf(operation, await belongings(stage, operation.path)))
        expect(shared.status, shared.text).toBe(rightful.status)
      }
    })
  })
})

test.each(operations.filter(({ needs }) => needs === 'anyone'))('$method $path is there for anyone', async (one) => {
  for (const headers of [{}, { host: 'evil.example' }, { authorization: 'Bearer nonsense' }] as Asking['headers'][]) {
    const its = await belongings(strict, one.path)
    const call = callOf(one, its)
    const body = call.body === undefined ? {} : { body: call.body }
    const answer = await ask(strict.segno, one.method, call.path, { headers: { ...call.headers, ...headers }, ...body })
    expect([200, 202], answer.text).toContain(answer.status)
    expect(leaks(answer, its, undefined, call)).toEqual([])
  }
})

verifies('GOV-32', 'a login is finished by who comes back from it, once, and by nobody who made it up', async () => {
  const finish = (state: string) => ask(strict.segno, 'GET', `/mcp/callback?state=${state}&code=a-code`)
  const { loginState } = await belongings(strict)
  const before = await strict.dump()
  for (const made of [
    `${loginState}x`,
    loginState.slice(0, -1),
    loginState.replace(/^[^.]*/, ofTenant('rival')),
    'none',
  ]) {
    const answer = await finish(made)
    expect([answer.status, readProblem(answer).code], made).toEqual([409, 'CONFLICT'])
  }
  expect(await strict.dump()).toEqual(before)
  expect((await finish(loginState)).status).toBe(200)
  expect((await finish(loginState)).status).toBe(409)
})

const ofTenant = (tenant: string): string => Buffer.from(JSON.stringify([tenant, 'mail'])).toString('base64url')

function callOf({ method, path }: Operation, its: Belongings): Call {
  const call = CALLS[`${method} ${path}`]
  if (!call) throw new Error(`tests/security/support/calls.ts does not know how to call ${method} ${path}`)
  return call(its)
}

/** What of the owner's things an answer tells that was not in the request. */
function leaks(answer: Answer, its: Belongings, keys: Keys | undefined, call: Call): string[] {
  const sent = call.path + JSON.stringify(call.body ?? '')
  const all = answer.text + JSON.stringify([...answer.headers])
  const ids = [...idsOf(its), ...(keys ? [keys.rightId] : [])].filter((id) => !sent.includes(id) && all.includes(id))
  return PRIVATE_WORD.test(all) ? [...ids, all] : ids
}

const idsOf = ({ signatures: _, ...its }: Belongings): string[] => Object.values({ ...its })

function nameless({ status, text }: Answer, its: Belongings): { status: number; body: string } {
  const { requestId: _, ...document } = JSON.parse(text) as Record<string, unknown>
  let body = JSON.stringify(document)
  const { signatures: __, ...ids } = its
  for (const [name, id] of Object.entries({ ...ids })) body = body.replaceAll(id, `<${name}>`)
  return { status, body }
}

async function auditRows({ segno }: Stage): Promise<AuditRow[]> {
  const rows: AuditRow[] = []
  for await (const line of segno.audit.export(LOCAL_OWNER)) {
    const row = JSON.parse(line) as AuditRow
    if ('seq' in row) rows.push(row)
  }
  return rows
}

const newActions = (rows: readonly AuditRow[], before: readonly AuditRow[]): string[] =>
  rows
    .slice(before.length)
    .flatMap(({ body }) => (JSON.parse(body) as { action: string }[]).map(({ action }) => action))
