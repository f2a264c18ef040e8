import type { Explanation } from '../../../src/contract/policy.ts'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import type { JsonObject } from '../../../src/contract/message.ts'
import type { Tool } from '../../../src/contract/tool.ts'
import { createEgress } from '../../../src/egress/index.ts'
import { readPolicy } from '../../../src/policy/index.ts'
import { bash, KNOWN_HOSTS, localTools, webFetch } from '../../../src/tool/index.ts'
import { WEB_LIMITS } from '../../support/limits.ts'
import { probe } from '../../support/probe-tool.ts'
import { said, segnoUnderTest } from '../../support/segno-under-test.ts'

const page = readFileSync(join(import.meta.dirname, '../../../docs/policies.md'), 'utf8')

interface Row {
  readonly tool: string
  readonly args: JsonObject
  readonly mode: 'plan' | 'act'
  readonly tainted: boolean
  /** what happens, and what it costs if the page says so */
  readonly expected: string
  readonly cost: number | undefined
  readonly by: string
}

/** The policies of the page, each with the calls below it. */
const examples = [...page.matchAll(/```json\n([\s\S]*?)```\s+\| call [^\n]*\n[^\n]*\n((?:\|[^\n]*\n)+)/g)].map(
  ([, policy = '', table = '']) => ({
    policy: JSON.parse(policy) as unknown,
    rows: table.trim().split('\n').map(rowOf),
  }),
)

function rowOf(line: string): Row {
  const [, call = '', more = '', happens = '', by = ''] = /^\| `(.*)`(.*?) \| (.*?) \| (.*?) \|$/.exec(line) ?? []
  const [expected = '', cost] = happens.split(', ')
  return {
    tool: call.slice(0, call.indexOf(' ')),
    args: JSON.parse(call.slice(call.indexOf(' '))) as JsonObject,
    mode: more.includes('plan mode') ? 'plan' : 'act',
    tainted: more.includes('text from outside'),
    expected,
    cost: cost === undefined ? undefined : Number(cost),
    by,
  }
}

/** The built-in tools as they are, and those the page speaks of. */
function tools(): Tool[] {
  const egress = createEgress({})
  onTestFinished(() => egress.close())
  const shell = bash({} as never, { timeoutMs: 1000 } as never)
  const others = ['search', 'translate', 'render'].map((name) => probe(name))
  const mail = probe('mail', { effect: 'unsafe', approval: 'ask', reach: ['outward'] })
  return [
    ...localTools({ now: () => 0 }),
    webFetch({ egress, knownHosts: KNOWN_HOSTS, limits: WEB_LIMITS }),
    shell,
    mail,
    ...others,
  ]
}

const happened = ({ verdict }: Explanation): string =>
  verdict.kind === 'ask'
    ? verdict.rememberable
      ? 'asks'
      : 'asks each time'
    : { allow: 'allowed', refuse: 'refused' }[verdict.kind]

/** Who decided, in the words of the page. */
function decider({ decidedBy, because, fitting, verdict }: Explanation): string {
  if (because.includes('text from outside')) return 'text from outside'
  if (because.includes('costs is not known') || decidedBy === 'cost') return 'cost'
  if (decidedBy === 'mode') return 'mode'
  if (fitting[0] !== undefined) return `rule ${fitting[0]}`
  return verdict.kind === 'refuse' ? 'no rule' : 'the tool'
}

test('docs/policies.md has examples, and all of them are tried', () => {
  expect(examples.length).toBe([...page.matchAll(/```json/g)].length)
  expect(examples.flatMap(({ rows }) => rows).length).toBeGreaterThan(20)
})

describe.each(examples.map(({ policy, rows }, at) => ({ at: at + 1, policy, rows })))(
  'policy $at of docs/policies.md',
  ({ policy, rows }) => {
    test('decides what the page says', async () => {
      const segno = await segnoUnderTest({ tools: tools(), policy: readPolicy(policy, 'docs/policies.md') })
      for (const { tool, args, mode, tainted, expected, by } of rows) {
        const found = await segno.segno.explain(LOCAL_OWNER, { tool, args, mode, tainted })
        expect({ call: tool, args, happened: happened(found), by: decider(found) }).toEqual({
          call: tool,
          args,
          happened: expected,
          by,
        })
      }
    })
  },
)

test('costs of docs/policies.md are what calls cost', async () => {
  for (const { policy, rows } of examples)
    for (const { tool, args, cost } of rows.filter((row) => row.cost !== undefined)) {
      const segno = await segnoUnderTest({
        tools: tools(),
        turns: [{ calls: [{ name: tool, args }] }, { text: 'Done.' }],
        policy: readPolicy(policy, 'docs/policies.md'),
      })
      expect(said((await segno.ask()).events, 'tool.result')).toMatchObject([{ outcome: 'ok', cost }])
    }
})

test('every field a rule can have is on the page', () => {
  const wrong = () => readPolicy({ rules: [{ decide: 'deny', nonsense: 1 }] }, 'x')
  const [, names = ''] = /nonsense is not known; expected ([^;]*)\.$/.exec(messageOf(wrong)) ?? []
  for (const name of names.split(', ')) expect(page, name).toContain(`| \`${name}\` |`)
})

function messageOf(act: () => unknown): string {
  try {
    act()
  } catch (error) {
    return (error as Error).message
  }
  return ''
}
