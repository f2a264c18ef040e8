import { expect, test } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import type { WorkflowInput } from '../../../src/workflow/index.ts'
import { verifies } from '../../support/verifies.ts'
import { ask } from '../http/ask.ts'
import { like, INPUT, person, working } from './support/working.ts'

const CANARY = 'zanzibar'

verifies(
  'GOV-12',
  'a workflow is registered, found, listed, changed, disabled with a reason, enabled and deprecated',
  async () => {
    const it = await working()
    const { segno, workflow } = it
    const { workflows } = segno
    expect(workflow).toMatchObject({ name: 'print', status: 'active', revision: 1, createdBy: LOCAL_OWNER.id })
    expect(await workflows.get(LOCAL_OWNER, workflow.id)).toMatchObject({ body: { description: 'Prints a page.' } })
    const scan = await workflows.create(LOCAL_OWNER, { ...it.wanted, name: 'scan' })
    expect((await workflows.list(LOCAL_OWNER)).items.map(({ name }) => name)).toEqual(['scan', 'print'])
    const changed = await workflows.change(LOCAL_OWNER, workflow.id, { description: 'Prints one.', revision: 1 })
    expect(changed).toMatchObject({ revision: 2, body: { description: 'Prints one.', input: INPUT } })
    await expect(workflows.change(LOCAL_OWNER, workflow.id, { waitMs: 5, revision: 1 })).rejects.toMatchObject({
      code: 'CONFLICT',
    })
    expect(await workflows.disable(LOCAL_OWNER, workflow.id, 'No paper.')).toMatchObject({
      status: 'disabled',
      reason: 'No paper.',
    })
    await expect(it.invoke()).rejects.toMatchObject({ code: 'CONFLICT', message: like(/disabled: No paper\./) })
    const enabled = await workflows.enable(LOCAL_OWNER, workflow.id)
    expect([enabled.status, enabled.reason]).toEqual(['active', undefined])
    expect(await workflows.change(LOCAL_OWNER, scan.id, { status: 'deprecated' })).toMatchObject({
      status: 'deprecated',
    })
    const { items } = await workflows.list(LOCAL_OWNER, { status: 'deprecated' })
    expect(items.map(({ id }) => id)).toEqual([scan.id])
    // Who calls it still can.
    it.outside.trust(scan.secret)
    expect(await segno.invocations.invoke(LOCAL_OWNER, scan.id, { page: 1 }, { wait: true })).toMatchObject({
      status: 'success',
    })
  },
)

verifies('GOV-12', 'workflows are there for their tenant only, and for those who may manage or use them', async () => {
  const it = await working()
  const { segno, workflow } = it
  const { id } = workflow
  const foreign = person('ann', ['*'], 'elsewhere')
  const manager = person('mia', ['workflow:manage'])
  const user = person('uwe', ['tool:workflow_print'])
  const stranger = person('eve', ['chat:read', 'chat:write', 'tool:workflow_other'])
  for (const nobody of [foreign, stranger]) {
    await expect(segno.workflows.get(nobody, id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(it.invoke({ page: 1 }, 'k', nobody)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect((await segno.workflows.list(nobody)).items).toEqual([])
  }
  await expect(segno.workflows.change(foreign, id, { waitMs: 5 })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  for (const mayNot of [user, stranger]) {
    const refused = { code: 'PERMISSION_DENIED', message: like(/workflow:manage/) }
    await expect(segno.workflows.create(mayNot, { ...it.wanted, name: 'x' })).rejects.toMatchObject(refused)
    await expect(segno.workflows.change(mayNot, id, { waitMs: 5 })).rejects.toMatchObject(refused)
    await expect(segno.workflows.disable(mayNot, id, 'no')).rejects.toMatchObject(refused)
    await expect(segno.workflows.enable(mayNot, id)).rejects.toMatchObject(refused)
    await expect(segno.workflows.renewSecret(mayNot, id)).rejects.toMatchObject(refused)
  }
  expect(await segno.workflows.get(user, id)).toMatchObject({ name: 'print' })
  expect(await it.invoke({ page: 1 }, 'k', user)).toMatchObject({ userId: 'uwe' })
  // Managing is not using.
  await expect(it.invoke({ page: 1 }, 'k', manager)).rejects.toMatchObject({ code: 'PERMISSION_DENIED' })
  expect(await segno.workflows.change(manager, id, { waitMs: 5000 })).toMatchObject({ body: { waitMs: 5000 } })
  // The same name is free in another tenant.
  expect(await segno.workflows.create(foreign, it.wanted)).toMatchObject({ tenant: 'elsewhere', name: 'print' })
})

test('what a workflow need not have is taken away by a change to null, and nothing else is', async () => {
  const more = { cost: 7, quota: { perHour: 5 }, approval: 'ask', retry: { attempts: 2 }, timeoutMs: 1000 } as const
  const { segno, workflow } = await working({ ...more, waitMs: 2000, output: { type: 'object' } })
  const gone = { output: null, cost: null, quota: null, approval: null, retry: null, timeoutMs: null }
  const { body } = await segno.workflows.change(LOCAL_OWNER, workflow.id, gone)
  const { description, target, input, effect } = workflow.body
  expect(body).toEqual({ description, target, input, effect, waitMs: 2000 })
  const wrong = { description: null as unknown as string }
  await expect(segno.workflows.change(LOCAL_OWNER, workflow.id, wrong)).rejects.toMatchObject({ field: 'description' })
})

test('what was done with a workflow is on record, without its words, addresses and secrets', async () => {
  const it = await working({ description: `Prints ${CANARY}.` })
  const { segno, workflow, secret } = it
  await segno.workflows.change(LOCAL_OWNER, workflow.id, { description: `No ${CANARY}.` })
  await segno.workflows.disable(LOCAL_OWNER, workflow.id, `It is ${CANARY}.`)
  await segno.workflows.enable(LOCAL_OWNER, workflow.id)
  await segno.workflows.renewSecret(LOCAL_OWNER, workflow.id)
  await it.invoke()
  const [run] = await it.runs()
  await it.ended(run?.id ?? '')
  const { items } = await segno.audit.page(LOCAL_OWNER, { limit: 100 })
  const about = items.filter(({ metadata }) => metadata?.['automationId'] === workflow.id)
  expect(about.map(({ action }) => action).toReversed()).toEqual([
    'automation_created',
    'automation_changed',
    'automation_disabled',
    'automation_enabled',
    'automation_secret_made',
    'orchestrator.workflow.invoke',
    'orchestrator.workflow.result',
  ])
  const text = JSON.stringify(items)
  for (const word of [CANARY, it.outside.origin, secret, 'page']) expect(text).not.toContain(word)
})

/** What is wrong, the field that is named, and a word of why. */
const BAD: readonly (readonly [what: string, wrong: object, field: string, why: RegExp])[] = [
  ['a name with capitals', { name: 'Print' }, 'name', /small letters/],
  ['a name that is too long', { name: 'p'.repeat(51) }, 'name', /1 to 50/],
  ['a name that begins with a digit', { name: '1st' }, 'name', /beginning with a letter/],
  ['no description', { description: ' ' }, 'description', /1 to 4000/],
  ['an engine nobody knows', { engine: 'zapier' }, 'engine', /n8n, temporal, http/],
  ['an input schema that is no object', { input: { type: 'string' } }, 'input', /"type": "object"/],
  ['an input schema that is none', { input: { type: 'object', properties: 7 } }, 'input', /cannot be used/],
  ['an output schema that is no object', { output: { type: 'array' } }, 'output', /"type": "object"/],
  ['a schema that is too long', { input: { type: 'object', title: 'x'.repeat(50_001) } }, 'input', /50000 characters/],
  ['an effect nobody knows', { effect: 'safe' }, 'effect', /pure/],
  ['verifiable where nobody can be asked', { effect: 'verifiable' }, 'effect', /nobody can be asked/],
  ['an approval nobody knows', { approval: 'never' }, 'approval', /auto, ask or always/],
  ['a cost below nothing', { cost: -1 }, 'cost', /whole number/],
  ['a quota of nothing', { quota: { perHour: 0 } }, 'quota.perHour', /1 or more/],
  ['a quota nobody knows', { quota: { perDay: 1 } }, 'quota.perDay', /not known/],
  ['endless retries', { retry: { attempts: 101 } }, 'retry.attempts', /1 to 100/],
  ['a hand-over that may take too long', { timeoutMs: 120_001 }, 'timeoutMs', /WORKFLOW_MAX_MS/],
  ['a wait of more than 30 days', { waitMs: 30 * 86_400_000 + 1 }, 'waitMs', /SUBMITTED_MAX_MS/],
  ['an address that is none', { target: { url: 'ftp://example.org' } }, 'target.url', /must be an address/],
  ['a password in the address', { target: { url: 'https://a:b@example.org/' } }, 'target.url', /without a name, pass/],
  ['a secret in the query', { target: { url: 'https://example.org/?key=1' } }, 'target.url', /query/],
  [
    'a field nobody knows in the target',
    { target: { url: 'https://a.org/', token: 'x' } },
    'target.token',
    /not known/,
  ],
  ['a field nobody knows', { secret: 'mine' }, 'secret', /no (?:field|option)/],
  [
    'a connection the operator has not named',
    { engine: 'temporal', target: { connection: 'main', workflowType: 'T', taskQueue: 'q' } },
    'target.connection',
    /SEGNO_TEMPORAL/,
  ],
  [
    'a header that Segno sends itself',
    { engine: 'n8n', target: { url: 'https://a.org/', auth: { header: 'webhook-id', value: 'x' } } },
    'target.auth.header',
    /sends itself/,
  ],
]

test('each field that cannot be used is named, with what would be right, and nothing is stored', async () => {
  const it = await working()
  for (const [what, wrong, field, why] of BAD) {
    const wanted = { ...it.wanted, name: 'bad', ...wrong } as WorkflowInput
    const problem: unknown = await it.segno.workflows.create(LOCAL_OWNER, wanted).catch((error: unknown) => error)
    expect({ what, problem }).toMatchObject({ problem: { code: 'VALIDATION_ERROR', field, message: like(why) } })
  }
  expect((await it.segno.workflows.list(LOCAL_OWNER)).items).toHaveLength(1)
})

test('each change that cannot be made is refused the same, and changes nothing', async () => {
  const it = await working()
  const { workflows } = it.segno
  for (const [what, wrong, field, why] of BAD) {
    if ('engine' in wrong) continue
    const problem: unknown = await workflows.change(LOCAL_OWNER, it.workflow.id, wrong).catch((error: unknown) => error)
    expect({ what, problem }).toMatchObject({ problem: { code: 'VALIDATION_ERROR', field, message: like(why) } })
  }
  for (const wrong of [{ engine: 'n8n' }, { status: 'disabled' }] as const)
    await expect(workflows.change(LOCAL_OWNER, it.workflow.id, wrong as never)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    })
  for (const reason of ['', ' ', 'x'.repeat(501), undefined as never])
    await expect(workflows.disable(LOCAL_OWNER, it.workflow.id, reason)).rejects.toMatchObject({ field: 'reason' })
  expect(await workflows.get(LOCAL_OWNER, it.workflow.id)).toMatchObject({ revision: 1 })
})

test('a name that is taken is refused, also of those who come at once', async () => {
  const it = await working()
  const wanted = { ...it.wanted, name: 'scan' }
  const made = await Promise.allSettled(
    Array.from({ length: 10 }, () => it.segno.workflows.create(LOCAL_OWNER, wanted)),
  )
  expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  for (const one of made)
    if (one.status === 'rejected')
      expect(one.reason).toMatchObject({ code: 'VALIDATION_ERROR', field: 'name', message: like(/taken/) })
  await expect(it.segno.workflows.change(LOCAL_OWNER, it.workflow.id, { name: 'scan' })).rejects.toMatchObject({
    field: 'name',
  })
})

test('a private address that the operator has not named is refused', async () => {
  const it = await working()
  const { workflows } = it.segno
  const url = it.outside.url.replace('127.0.0.1', '127.0.0.2')
  const refusal = { field: 'target.url', message: like(/not a public address .* SEGNO_WORKFLOW_ORIGINS/) }
  const wanted = { ...it.wanted, name: 'inside', target: { url } }
  await expect(workflows.create(LOCAL_OWNER, wanted)).rejects.toMatchObject(refusal)
  await expect(workflows.change(LOCAL_OWNER, it.workflow.id, { target: { url } })).rejects.toMatchObject(refusal)
  const n8n = { url: 'https://n8n.example.org/webhook/a', api: { url, key: 'a key' } }
  await expect(workflows.create(LOCAL_OWNER, { ...wanted, engine: 'n8n', target: n8n })).rejects.toMatchObject({
    ...refusal,
    field: 'target.api.url',
  })
  expect(it.outside.asked).toEqual([])
})

test('the same Idempotency-Key registers one workflow, whose secret is shown once', async () => {
  const it = await working()
  const { input, output, ...rest } = it.wanted
  const wanted = { ...rest, input, output, name: 'scan' }
  const send = (body: object) => ask(it, 'POST', '/api/workflows', body, { 'idempotency-key': 'one' })
  const first = await send(wanted)
  expect([first.status, first.body['secret']]).toEqual([201, expect.stringMatching(/^whsec_/)])
  const again = await send(wanted)
  expect([again.status, again.body['id'], again.body['secret']]).toEqual([201, first.body['id'], undefined])
  expect(await send({ ...wanted, description: 'Another.' })).toMatchObject({ body: { code: 'IDEMPOTENCY_MISMATCH' } })
  const found = await ask(it, 'GET', `/api/workflows/${String(first.body['id'])}`)
  expect(JSON.stringify(found.body)).not.toContain('whsec_')
})

test('what is secret in a target is never shown again, and is needed anew for another origin', async () => {
  const it = await working()
  const { workflows } = it.segno
  const target = { url: 'https://n8n.example.org/webhook/a', auth: { header: 'x-segno', value: CANARY } }
  const made = await workflows.create(LOCAL_OWNER, { ...it.wanted, name: 'n', engine: 'n8n', target })
  const { items } = await workflows.list(LOCAL_OWNER)
  expect(JSON.stringify([made, items, await ask(it, 'GET', `/api/workflows/${made.id}`)])).not.toContain(CANARY)
  expect(made.secret).toBeUndefined()
  const moved = (url: string) => workflows.change(LOCAL_OWNER, made.id, { target: { url } })
  expect(await moved('https://n8n.example.org/webhook/b')).toMatchObject({ body: { target: { header: 'x-segno' } } })
  await expect(moved('https://evil.example/webhook/b')).rejects.toMatchObject({ field: 'target.auth.value' })
})

test('no more workflows are registered than AUTOMATIONS allows', async () => {
  const it = await working({}, { limits: { AUTOMATIONS: 2 } })
  await it.segno.workflows.create(LOCAL_OWNER, { ...it.wanted, name: 'two' })
  await expect(it.segno.workflows.create(LOCAL_OWNER, { ...it.wanted, name: 'three' })).rejects.toMatchObject({
    code: 'CONFLICT',
    message: like(/AUTOMATIONS/),
  })
})
