import { expect, test } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import { newSigningSecret } from '../../../src/workflow/signing-secrets.ts'
import { signedHeaders } from '../../../src/workflow/standard-webhooks.ts'
import { verifies } from '../../support/verifies.ts'
import { DAY, working } from './support/working.ts'

const SUCCESS = { status: 'success', output: { done: true } } as const
const OTHER = { status: 'success', output: { done: false } } as const
const FAILED = { status: 'failure', error: 'There is no paper.' } as const
const REFUSED = { status: 401, body: { code: 'KEY_INVALID' } }

/** With a run that goes on outside. */
async function running(...given: Parameters<typeof working>) {
  const it = await working(...given)
  it.outside.play('goes on')
  async function start(page = 1) {
    const { id } = await it.invoke({ page })
    await it.ended(id, ({ status }) => status === 'running')
    return id
  }
  const statusOf = async (id: string) => (await it.segno.invocations.get(LOCAL_OWNER, id)).status
  const keyOf = async (scopes: readonly string[], tenant = LOCAL_OWNER.tenant) => {
    const wanted = { name: 'a key', role: 'super_admin', scopes, userId: 'uwe', tenant } as const
    return { authorization: `Bearer ${(await it.segno.keys.add(LOCAL_OWNER, wanted)).secret ?? ''}` }
  }
  const from = (id: string) => {
    const asked = it.outside.asked.find(({ invocationId }) => invocationId === id)
    if (!asked) throw new Error('it was not asked for')
    return asked
  }
  return { ...it, start, statusOf, keyOf, from, id: await start() }
}

verifies('GOV-15', 'a signed result counts, also with the secret before the last', async () => {
  const it = await running()
  expect(await it.reportSigned(it.id, SUCCESS)).toMatchObject({ status: 200, body: { id: it.id, status: 'success' } })
  const { secret = '' } = await it.segno.workflows.renewSecret(LOCAL_OWNER, it.workflow.id)
  it.outside.trust(secret)
  const [second, third] = [await it.start(2), await it.start(3)]
  expect(await it.reportSigned(second, SUCCESS, { messageId: 'm2' })).toMatchObject({ status: 200 })
  expect(await it.reportSigned(third, SUCCESS, { messageId: 'm3', secret })).toMatchObject({ status: 200 })
  const { secret: latest = '' } = await it.segno.workflows.renewSecret(LOCAL_OWNER, it.workflow.id)
  it.outside.trust(latest)
  const fourth = await it.start(4)
  expect(await it.reportSigned(fourth, SUCCESS, { messageId: 'm4' })).toMatchObject(REFUSED)
  expect(await it.statusOf(fourth)).toBe('running')
})

verifies(
  'GOV-15',
  'with any header of a signature only a right one counts, on this machine and with a key too',
  async () => {
    const it = await running()
    const { id, report } = it
    const body = JSON.stringify(SUCCESS)
    const good = signedHeaders([it.secret], { id: 'm1', body, now: it.clock.now() })
    const key = await it.keyOf(['workflow:manage'])
    const { authorization } = { authorization: `Bearer ${it.from(id).token ?? ''}` }
    const signedBy = (secret: string, at = it.clock.now(), signed = body) =>
      signedHeaders([secret], { id: 'm1', body: signed, now: at })
    const { 'webhook-signature': signature = '', ...unsigned } = good
    for (const [what, headers] of Object.entries({
      'another secret': signedBy(newSigningSecret()),
      'too old': signedBy(it.secret, it.clock.now() - 301_000),
      'too early': signedBy(it.secret, it.clock.now() + 310_000),
      'of another body': signedBy(it.secret, it.clock.now(), JSON.stringify(OTHER)),
      'no signature': unsigned,
      'an empty one': { ...good, 'webhook-signature': '' },
      'of another version': { ...good, 'webhook-signature': signature.replace('v1', 'v1a') },
      'of another message': { ...good, 'webhook-id': 'm2' },
      'a header nobody knows': { 'webhook-flavour': 'x' },
    }))
      for (const more of [{}, key, { authorization }]) {
        const answer = await report(id, body, { ...headers, ...more })
        expect({ what, answer }).toMatchObject({ answer: REFUSED })
      }
    expect(await it.statusOf(id)).toBe('running')
    expect(await report(id, body, good)).toMatchObject({ status: 200 })
  },
)

verifies('GOV-15', 'a signature that was used for one run is refused for every other', async () => {
  const it = await running()
  const other = await it.start(2)
  const body = JSON.stringify(SUCCESS)
  const headers = signedHeaders([it.secret], { id: 'm1', body, now: it.clock.now() })
  expect(await it.report(it.id, body, headers)).toMatchObject({ status: 200 })
  expect(await it.report(other, body, headers)).toMatchObject(REFUSED)
  expect(await it.statusOf(other)).toBe('running')
  // A repeat is no other use.
  expect(await it.report(it.id, body, headers)).toMatchObject({ status: 200 })
})

verifies('GOV-15', 'a signature sent for many runs at once counts for one of them', async () => {
  const it = await running()
  const ids = [it.id, ...(await Promise.all([2, 3, 4, 5].map(it.start)))]
  const body = JSON.stringify(SUCCESS)
  const headers = signedHeaders([it.secret], { id: 'm1', body, now: it.clock.now() })
  const answers = await Promise.all(ids.map((id) => it.report(id, body, headers)))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect((await Promise.all(ids.map(it.statusOf))).filter((status) => status === 'success')).toHaveLength(1)
})

verifies('GOV-15', 'the token of a run is for that run only, and until its time is over', async () => {
  const it = await running()
  const other = await it.start(2)
  const { token = '' } = it.from(it.id)
  expect(await it.reportWithToken({ invocationId: other, token }, SUCCESS)).toMatchObject(REFUSED)
  expect(await it.reportWithToken({ invocationId: it.id, token: `${token}x` }, SUCCESS)).toMatchObject(REFUSED)
  expect(await it.reportWithToken({ invocationId: it.id, token }, SUCCESS)).toMatchObject({
    status: 200,
    body: { id: it.id, status: 'success' },
  })
  it.clock.pass(DAY)
  expect(await it.reportWithToken(it.from(other), SUCCESS)).toMatchObject(REFUSED)
  // What was signed may come later.
  expect(await it.reportSigned(other, SUCCESS)).toMatchObject({ status: 200 })
})

test('no token is kept as it is, and none is shown', async () => {
  const it = await running()
  const { token = '' } = it.from(it.id)
  expect(token).toMatch(/^[\w-]{43}$/)
  const shown = [await it.runs(), await it.segno.audit.page(LOCAL_OWNER, { limit: 100 })]
  expect(JSON.stringify(shown)).not.toContain(token)
})

verifies('GOV-12', 'a person reports a result who may manage workflows, in their own tenant', async () => {
  const it = await running()
  for (const [scopes, tenant, status] of [
    [['workflow:manage'], 'elsewhere', 404],
    [['tool:workflow_print', 'chat:write'], LOCAL_OWNER.tenant, 403],
    [['workflow:manage'], LOCAL_OWNER.tenant, 200],
  ] as const)
    expect(await it.report(it.id, SUCCESS, await it.keyOf(scopes, tenant))).toMatchObject({ status })
  const { items } = await it.segno.audit.page(LOCAL_OWNER, { action: 'invocation_reported' })
  expect(items).toMatchObject([{ userId: 'uwe', metadata: { invocationId: it.id } }])
  // Who runs this machine may, too.
  expect(await it.report(await it.start(2), SUCCESS)).toMatchObject({ status: 200 })
})

verifies('GOV-15', 'the same result again gets the same answer, and another one is a conflict', async () => {
  for (const [first, second] of [
    [SUCCESS, OTHER],
    [SUCCESS, FAILED],
    [FAILED, SUCCESS],
    [FAILED, { ...FAILED, error: 'Another.' }],
  ]) {
    const it = await running()
    const answers = [await it.reportSigned(it.id, first ?? {}), await it.reportSigned(it.id, first ?? {})]
    expect(answers[1]).toEqual(answers[0])
    expect(answers[0]).toMatchObject({ status: 200, body: { status: first?.status } })
    for (const say of [it.reportSigned, (id: string, body: object) => it.reportWithToken(it.from(id), body)])
      expect(await say(it.id, second ?? {})).toMatchObject({ status: 409, body: { code: 'CONFLICT' } })
    expect(await it.statusOf(it.id)).toBe(first?.status)
  }
})

verifies('GOV-14', 'of two results that come at once one counts', async () => {
  const it = await running()
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) => it.reportSigned(it.id, n % 2 === 0 ? SUCCESS : OTHER, { messageId: `m${n}` })),
  )
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(10)
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(10)
  const won = answers.findIndex(({ status }) => status === 200) % 2 === 0
  expect(await it.segno.invocations.get(LOCAL_OWNER, it.id)).toMatchObject({ output: { done: won } })
  const { items } = await it.segno.audit.page(LOCAL_OWNER, { action: 'orchestrator.workflow.result' })
  expect(items).toHaveLength(1)
})

verifies('GOV-15', 'who shows nothing true learns nothing of which runs there are', async () => {
  const it = await running()
  const wrong = newSigningSecret()
  const nobody = crypto.randomUUID()
  const bodyOf = ({ status, body }: Awaited<ReturnType<typeof it.report>>) => ({ status, ...body, requestId: '' })
  const [known, unknown] = [it.id, nobody].map((id) => it.reportSigned(id, SUCCESS, { secret: wrong }))
  expect(bodyOf((await known) as never)).toEqual(bodyOf((await unknown) as never))
  const [mine, none] = [it.id, nobody].map((invocationId) => it.reportWithToken({ invocationId, token: 'x' }, SUCCESS))
  expect(bodyOf((await mine) as never)).toEqual(bodyOf((await none) as never))
  expect(await it.reportSigned(nobody, SUCCESS)).toMatchObject(REFUSED)
})

verifies('GOV-12', 'an output that does not fit makes the run a failure, kept for people', async () => {
  const it = await running()
  const bad = { status: 'success', output: { canary: 'zanzibar' } }
  const { status, body } = await it.reportSigned(it.id, bad)
  expect([status, body]).toEqual([200, { id: it.id, status: 'failure', code: 'BAD_OUTPUT', error: body['error'] }])
  expect(body['error']).toContain('does not fit the schema of its output: done:')
  expect(await it.segno.invocations.get(LOCAL_OWNER, it.id)).toMatchObject({
    status: 'failure',
    code: 'BAD_OUTPUT',
    raw: '{"canary":"zanzibar"}',
  })
  expect(await it.reportSigned(it.id, bad)).toMatchObject({ status: 200 })
  expect(await it.reportSigned(it.id, SUCCESS)).toMatchObject({ status: 409 })
})

verifies(
  'GOV-12',
  'people are told that an output does not fit, and may leave it out; the run stays as it is',
  async () => {
    const it = await running()
    const report = (given: object) => it.segno.invocations.report({ actor: LOCAL_OWNER }, it.id, given as never)
    await expect(report({ status: 'success', output: { done: 'yes' } })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      field: 'output',
    })
    expect(await it.statusOf(it.id)).toBe('running')
    expect(await report({ status: 'success' })).toMatchObject({ status: 'success', output: null })
  },
)

test('saying that it runs changes nothing that has begun or ended', async () => {
  const it = await running()
  expect(await it.reportSigned(it.id, { status: 'running' })).toMatchObject({
    status: 200,
    body: { status: 'running' },
  })
  await it.reportSigned(it.id, SUCCESS)
  expect(await it.reportSigned(it.id, { status: 'running' })).toMatchObject({
    status: 200,
    body: { status: 'success' },
  })
})

verifies('GOV-13', 'one that says it runs while the answer to its hand-over got lost is waited for', async () => {
  const it = await working()
  it.outside.play('stays silent')
  const { id } = await it.invoke()
  await it.outside.wasAsked(1)
  expect(await it.reportWithToken(it.outside.last(), { status: 'running' })).toMatchObject({
    body: { status: 'running' },
  })
  await it.reportWithToken(it.outside.last(), SUCCESS)
  expect(await it.ended(id)).toMatchObject({ status: 'success' })
})

test('what is no result is refused, with what is wrong, and changes nothing', async () => {
  const it = await running({}, { limits: { WORKFLOW_ANSWER_BYTES: 1000 } })
  for (const [body, status] of [
    ['{', 415],
    ['[]', 400],
    ['null', 400],
    ['{}', 400],
    ['{"status":"done"}', 400],
    ['{"status":"running","output":1}', 400],
    ['{"status":"success","error":"no"}', 400],
    ['{"status":"failure","output":1}', 400],
    ['{"status":"failure","error":" "}', 400],
    ['{"status":"success","more":1}', 400],
    ['{"status":"success","output":{"done":true,"sum":1e999}}', 400],
    [JSON.stringify({ status: 'failure', error: 'x'.repeat(10_001) }), 413],
    [JSON.stringify({ status: 'success', output: { done: 'x'.repeat(1001) } }), 413],
    [`{"status":"success","output":${'['.repeat(450)}${']'.repeat(450)}}`, 400],
    ['x'.repeat(50_000_000), 413],
  ] as const) {
    const headers = signedHeaders([it.secret], { id: 'm1', body, now: it.clock.now() })
    const answer = await it.report(it.id, body, { ...headers, 'content-type': 'application/json' })
    expect([body.slice(0, 60), answer.status]).toEqual([body.slice(0, 60), status])
  }
  expect(await it.statusOf(it.id)).toBe('running')
})

test('a result that repeats what was sent is kept without its secrets, and repeated alike', async () => {
  const it = await running()
  const asked = it.from(it.id)
  const output = { done: true, headers: { authorization: `Bearer ${asked.token ?? ''}` }, [it.secret]: [it.secret] }
  for (const _ of [1, 2])
    expect(await it.reportWithToken(asked, { status: 'success', output })).toMatchObject({ status: 200 })
  const run = await it.segno.invocations.get(LOCAL_OWNER, it.id)
  expect(run).toMatchObject({ status: 'success', output: { headers: { authorization: 'Bearer [REDACTED]' } } })
  for (const secret of [it.secret, asked.token ?? '']) expect(JSON.stringify(run)).not.toContain(secret)
  const failing = await it.start(2)
  await it.reportSigned(failing, { status: 'failure', error: `It refused ${it.secret}.` })
  expect(await it.segno.invocations.get(LOCAL_OWNER, failing)).toMatchObject({ error: 'It refused [REDACTED].' })
})
