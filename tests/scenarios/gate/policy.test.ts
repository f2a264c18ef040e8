import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import type { JsonObject } from '../../../src/contract/message.ts'
import type { Policy, PolicyRule } from '../../../src/contract/policy.ts'
import { probe } from '../../support/probe-tool.ts'
import { said, segnoUnderTest, type Answered, type Opening } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'

const mailTo = (to: string) => ({ calls: [{ name: 'mail', args: { to } }] })
const done = { text: 'Done.' }
const codes = ({ events }: Pick<Answered, 'events'>) =>
  said(events, 'tool.result').map(({ outcome, code }) => code ?? outcome)

/** A tool that asks, and a model that uses it once. */
async function mailing(policy: Policy, more: Opening = {}) {
  const tool = probe('mail', { effect: 'unsafe', approval: 'ask' })
  const segno = await segnoUnderTest({
    tools: [tool],
    turns: [mailTo('ann'), done],
    env: { SEGNO_POLICY: JSON.stringify(policy) },
    ...more,
  })
  return { segno, tool }
}
const rule = (decide: PolicyRule['decide'], more: Omit<PolicyRule, 'decide'> = {}): Policy => ({
  rules: [{ decide, tool: 'mail', ...more }],
})

for (const protocol of ['unified', 'triggered'] as const) {
  verifies(
    'GOV-8',
    `${protocol}: what the policy denies does not run, nobody is asked, and the model is told why`,
    async () => {
      const { segno, tool } = await mailing(rule('deny', { because: 'no mail on Sundays' }))
      const answered = await segno.ask('Go.', { protocol })
      expect(answered).toMatchObject({ finishReason: 'complete', content: 'Done.' })
      expect(codes(answered)).toEqual(['POLICY'])
      expect(said(answered.events, 'approval.requested')).toEqual([])
      expect(JSON.stringify(segno.requests[1]?.prompt)).toContain('no mail on Sundays')
      expect(tool.runs).toEqual([])
    },
  )

  verifies(
    'ORC-8',
    `${protocol}: what the policy allows runs with nobody there, although the tool would ask`,
    async () => {
      const { segno, tool } = await mailing(rule('allow', { args: { to: 'ann' } }))
      expect(codes(await segno.ask('Go.', { protocol, attended: false }))).toEqual(['ok'])
      expect(tool.runs).toHaveLength(1)
    },
  )

  verifies(
    'ORC-8',
    `${protocol}: what the policy asks about waits for a person, who is told which rule it is`,
    async () => {
      const auto = probe('mail', { effect: 'unsafe', approval: 'auto' })
      const { segno } = await mailing(rule('ask', { because: 'customers read it' }), { tools: [auto] })
      const { round, approvals } = await segno.askUntilWaiting('Go.', { protocol })
      expect(approvals).toMatchObject([{ tool: 'mail', rememberable: true }])
      expect(approvals[0]?.reason).toContain('rule 1 of the policy says ask: customers read it')
      expect(auto.runs).toEqual([])
      await segno.decide(approvals[0], 'approve', { remember: 'session' })
      await round.completion
      expect(codes(await segno.ask('Go.', { protocol, attended: false }))).toEqual(['ok'])
    },
  )
}

verifies('ORC-8', 'what the policy always asks about is asked about each time', async () => {
  const { segno, tool } = await mailing(rule('always'))
  const { round, approvals } = await segno.askUntilWaiting()
  expect(approvals).toMatchObject([{ rememberable: false }])
  await segno.decide(approvals[0], 'approve', { remember: 'session' })
  await round.completion
  expect(codes(await segno.ask('Go.', { attended: false }))).toEqual(['UNATTENDED'])
  expect(tool.runs).toHaveLength(1)
})

test('rules of the code come before those of SEGNO_POLICY', async () => {
  const allowed = await mailing(rule('deny'), { policy: rule('allow') })
  expect(codes(await allowed.segno.ask())).toEqual(['ok'])
  const denied = await mailing(rule('allow'), { policy: rule('deny') })
  expect(codes(await denied.segno.ask())).toEqual(['POLICY'])
})

test('silence refuses where the policy says so, and leaves it to the tool where it does not', async () => {
  const silent = await mailing({ ...rule('allow', { args: { to: 'bob' } }), otherwise: 'deny' })
  expect(codes(await silent.segno.ask())).toEqual(['POLICY'])
  const leaves = await mailing(rule('allow', { args: { to: 'bob' } }))
  expect(codes(await leaves.segno.ask('Go.', { attended: false }))).toEqual(['UNATTENDED'])
})

test('a rule for a workspace holds there and nowhere else', async () => {
  const { segno } = await mailing({})
  const { id: workspace } = await segno.segno.workspaces.create(LOCAL_OWNER, { name: 'Team' })
  await segno.reopen({ policy: { rules: [{ decide: 'allow', workspace }, { decide: 'deny' }] } })
  const { id: sessionId } = await segno.segno.createSession({ workspaceId: workspace })
  expect(codes(await segno.ask('Go.', { sessionId }))).toEqual(['ok'])
  expect(codes(await segno.ask())).toEqual(['POLICY'])
})

test('a rule for a permission holds for who has it; no rule gives one', async () => {
  const policy: Policy = { rules: [{ decide: 'allow', permission: 'tool:mail' }, { decide: 'deny' }] }
  const { segno } = await mailing(policy)
  const as = (...permissions: string[]) => ({ ...LOCAL_OWNER, permissions: ['chat:*', ...permissions] })
  expect(codes(await segno.ask('Go.', { actor: as('tool:mail') }))).toEqual(['ok'])
  expect(codes(await segno.ask('Go.', { actor: as('tool:invoke') }))).toEqual(['POLICY'])
  const { segno: open } = await mailing(rule('allow'))
  expect(codes(await open.ask('Go.', { actor: as('tool:other') }))).toEqual(['PERMISSION'])
})

verifies('PHA-12', 'a plan lets a tool read and not write, as each call is, and no rule changes that', async () => {
  const web = probe('web', {
    effect: ({ method }) => (method === 'GET' ? 'pure' : 'unsafe'),
    approval: 'auto',
    reach: [],
  })
  const calls = ['GET', 'POST'].map((method) => ({ name: 'web', args: { method } }))
  const segno = await segnoUnderTest({
    tools: [web],
    turns: [{ calls }, done],
    policy: { rules: [{ decide: 'allow' }] },
  })
  expect(codes(await segno.ask('Go.', { mode: 'plan' }))).toEqual(['ok', 'MODE'])
  expect(codes(await segno.ask('Go.', { mode: 'act' }))).toEqual(['ok', 'ok'])
  expect(web.runs.map(({ args }) => args['method'])).toEqual(['GET', 'GET', 'POST'])
})

test('a rule for a mode holds in that mode', async () => {
  const look = probe('look')
  const policy: Policy = { rules: [{ decide: 'deny', mode: 'plan', tool: 'look' }] }
  const segno = await segnoUnderTest({ tools: [look], turns: [{ calls: [{ name: 'look' }] }, done], policy })
  expect(codes(await segno.ask('Go.', { mode: 'plan' }))).toEqual(['POLICY'])
  expect(codes(await segno.ask('Go.', { mode: 'act' }))).toEqual(['ok'])
})

verifies('GOV-8', 'what was approved is denied after all where the policy has changed meanwhile', async () => {
  const { segno, tool } = await mailing({})
  const { round, approvals } = await segno.askUntilWaiting()
  await segno.reopen({ env: { SEGNO_POLICY: JSON.stringify(rule('deny')) } })
  await segno.decide(approvals[0], 'approve')
  await segno.segno.completion(segno.sessionId, round.requestId)
  expect(codes({ events: await segno.events() })).toEqual(['POLICY'])
  expect(tool.runs).toEqual([])
})

test('a policy that cannot be read stops the start and names the field', async () => {
  const bad = JSON.stringify({ rules: [{ decide: 'deny', host: 'https://example.org' }] })
  await expect(segnoUnderTest({ env: { SEGNO_POLICY: bad } })).rejects.toMatchObject({
    code: 'CONFIG_ERROR',
    field: 'SEGNO_POLICY',
    message: expect.stringContaining('rules[0].host') as string,
  })
})

describe('built-in tools', () => {
  /** What becomes of calls that a round makes at once, with nobody there. */
  async function codesOf(name: string, argsOf: (home: string) => JsonObject[], policy: Policy): Promise<string[]> {
    const calls: { name: string; args: JsonObject }[] = []
    const segno = await segnoUnderTest({ turns: [{ calls }, done], builtInTools: true, policy })
    calls.push(...argsOf(segno.home).map((args) => ({ name, args })))
    const folder = join(segno.home, 'workspace', 'private')
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'diary.txt'), 'dear diary')
    return codes(await segno.ask('Go.', { attended: false }))
  }

  test('a file the policy keeps to itself is not read, however it is named', async () => {
    const names = (home: string) => [
      'private/diary.txt',
      'docs/../private//diary.txt',
      'private\\diary.txt',
      'PRIVATE/../private/diary.txt',
      join(home, 'workspace/private/diary.txt'),
      '../workspace/private/diary.txt',
    ]
    const paths = (home: string) => names(home).map((path) => ({ path }))
    const keepOut: Policy = { rules: [{ decide: 'deny', path: 'private/**' }] }
    expect(new Set(await codesOf('read_file', paths, {})), 'each name is one of that file').toEqual(new Set(['ok']))
    expect(new Set(await codesOf('read_file', paths, keepOut))).toEqual(new Set(['POLICY']))
  })

  test('a host the policy denies is not fetched, and one it allows by name is not another', async () => {
    const policy: Policy = {
      rules: [
        { decide: 'deny', host: 'evil.test' },
        { decide: 'allow', tool: 'web_fetch', host: 'good.test' },
      ],
      otherwise: 'deny',
    }
    const urls = [
      'https://www.evil.test/',
      'https://good.test.evil.test/',
      'https://good.test@a.test/',
      'https://good.test:8443/',
    ]
    expect(new Set(await codesOf('web_fetch', () => urls.map((url) => ({ url })), policy))).toEqual(new Set(['POLICY']))
  })
})

test('policy explain says beforehand what the gate says then', async () => {
  const cases: Policy[] = [rule('deny'), rule('ask'), rule('always'), rule('allow'), {}, { otherwise: 'deny' }]
  for (const policy of cases) {
    const { segno } = await mailing(policy)
    const { verdict } = await segno.segno.explain(LOCAL_OWNER, { tool: 'mail', args: { to: 'ann' } })
    const expected = { allow: 'ok', ask: 'UNATTENDED', refuse: 'POLICY' }[verdict.kind]
    expect(codes(await segno.ask('Go.', { attended: false })), JSON.stringify(policy)).toEqual([expected])
  }
})
