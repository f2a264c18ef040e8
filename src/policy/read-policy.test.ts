import { describe, expect, test } from 'vitest'
import { Problem } from '../contract/problem.ts'
import { joinPolicies, readPolicy } from './read-policy.ts'

const ALL = {
  rules: [
    {
      decide: 'allow',
      tool: ['web_fetch', 'github__*'],
      host: '*.example.org',
      path: 'docs/**',
      command: 'git log *',
      args: { 'a.b': 'x', method: ['GET', 'HEAD'] },
      mode: 'act',
      permission: 'tool:bash',
      workspace: 'system',
      tainted: false,
      because: 'docs are ours',
    },
  ],
  otherwise: 'deny',
  tools: {
    search: { cost: 100, quota: { perHour: 10, concurrent: 1 } },
    mail: { cost: { each: 0.5, unit: 'character', field: 'text' } },
  },
}

const fault = (given: unknown): string => {
  try {
    readPolicy(given, 'SEGNO_POLICY')
  } catch (error) {
    expect(error).toBeInstanceOf(Problem)
    expect(error).toMatchObject({ code: 'CONFIG_ERROR', field: 'SEGNO_POLICY' })
    return (error as Problem).message
  }
  return ''
}
const ofRule = (rule: object): string => fault({ rules: [{ decide: 'allow' }, { decide: 'deny', ...rule }] })

test('reads a policy with every field, from JSON or as it is', () => {
  expect(readPolicy(ALL, 'policy')).toEqual(ALL)
  expect(readPolicy(JSON.stringify(ALL), 'policy')).toEqual(ALL)
  expect(readPolicy({}, 'policy')).toEqual({})
})

describe('a wrong policy names its field and what was expected', () => {
  test.each([
    ['', 'expected a JSON object'],
    ['{"rules": [', 'expected a JSON object'],
    ['[]', 'expected a JSON object'],
    [null, 'expected a JSON object'],
    [{ rule: [] }, 'rule is not known; expected rules, otherwise, tools'],
    [{ rules: {} }, 'rules: expected a list'],
    [{ rules: ['deny'] }, 'rules[0]: expected an object'],
    [{ rules: [{}] }, 'rules[0].decide: expected allow, ask, always, deny'],
    [{ rules: [{ decide: 'Allow' }] }, 'rules[0].decide: expected'],
    [{ otherwise: 'allow' }, 'otherwise: expected "declared" or "deny"'],
    [{ tools: [] }, 'tools: expected an object'],
    [{ tools: { x: 5 } }, 'tools.x: expected an object with cost or quota'],
    [{ tools: { x: { price: 5 } } }, 'tools.x.price is not known'],
    [{ tools: { x: { cost: -1 } } }, 'tools.x.cost: expected micro-dollars'],
    [{ tools: { x: { cost: 1.5 } } }, 'tools.x.cost'],
    [{ tools: { x: { cost: '5' } } }, 'tools.x.cost'],
    [{ tools: { x: { cost: { each: 1, unit: 'word', field: 'text' } } } }, 'tools.x.cost'],
    [{ tools: { x: { cost: { each: -1, unit: 'record', field: 'text' } } } }, 'tools.x.cost'],
    [{ tools: { x: { cost: { each: 1, unit: 'record' } } } }, 'tools.x.cost'],
    [{ tools: { x: { cost: { each: 1, unit: 'record', field: 'n', per: 2 } } } }, 'tools.x.cost'],
    [{ tools: { x: { quota: 5 } } }, 'tools.x.quota: expected {perHour, concurrent}'],
    [{ tools: { x: { quota: { perDay: 5 } } } }, 'tools.x.quota'],
    [{ tools: { x: { quota: { perHour: 0.5 } } } }, 'tools.x.quota'],
  ])('%j: %s', (given, said) => {
    expect(fault(given)).toContain(said)
  })

  test.each([
    [{ tools: 'x' }, 'rules[1].tools is not known; expected decide, tool, host'],
    [{ tool: 5 }, 'rules[1].tool: expected a text or a list of texts'],
    [{ tool: [] }, 'rules[1].tool'],
    [{ tool: '' }, 'rules[1].tool'],
    [{ path: ['a', ''] }, 'rules[1].path: expected a text'],
    [{ workspace: null }, 'rules[1].workspace'],
    [{ args: 'x' }, 'rules[1].args: expected an object of texts'],
    [{ args: { n: 5 } }, 'rules[1].args'],
    [{ mode: 'dry' }, 'rules[1].mode: expected plan or act'],
    [{ permission: 'bash' }, 'rules[1].permission: expected a permission such as tool:bash'],
    [{ tainted: 'yes' }, 'rules[1].tainted: expected true or false'],
    [{ because: 5 }, 'rules[1].because: expected a text'],
    [{ host: 'https://example.org' }, 'rules[1].host: https://example.org is no host; expected example.org'],
    [{ host: ['ok.test', 'exam*.org'] }, 'rules[1].host: exam*.org is no host'],
    [{ path: 'src/**.ts' }, 'rules[1].path: in src/**.ts, ** stands for folders'],
  ])('%j: %s', (rule, said) => {
    expect(ofRule(rule)).toContain(said)
  })

  test('an allow that leads out of the workspace, where a deny may', () => {
    for (const path of ['/etc/**', '../x', 'a/../../x', '..']) {
      expect(fault({ rules: [{ decide: 'allow', path }] })).toContain('rules[0].path')
      expect(fault({ rules: [{ decide: 'deny', path }] })).toBe('')
    }
  })

  test('and all that is wrong at once', () => {
    const said = fault({ otherwise: 'maybe', rules: [{ decide: 'no', mode: 'x' }] })
    for (const part of ['otherwise', 'rules[0].decide', 'rules[0].mode']) expect(said).toContain(part)
  })
})

describe('of two policies', () => {
  test('the rules of the first come first', () => {
    const joined = joinPolicies({ rules: [{ decide: 'deny' }] }, { rules: [{ decide: 'allow' }] })
    expect(joined.rules).toEqual([{ decide: 'deny' }, { decide: 'allow' }])
  })

  test('silence refuses where either says so', () => {
    const said = (one: 'declared' | 'deny', other: 'declared' | 'deny') =>
      joinPolicies({ otherwise: one }, { otherwise: other }).otherwise
    expect([said('declared', 'declared'), said('deny', 'declared'), said('declared', 'deny')]).toEqual([
      'declared',
      'deny',
      'deny',
    ])
    expect(joinPolicies({}, {}).otherwise).toBe('declared')
  })

  test('what only one says of a tool stands; where both do, the first counts', () => {
    const first = { tools: { a: { cost: 1 }, b: { cost: 2 } } }
    const second = { tools: { a: { cost: 9, quota: { perHour: 3 } }, c: { cost: 4 } } }
    expect(joinPolicies(first, second).tools).toEqual({
      a: { cost: 1, quota: { perHour: 3 } },
      b: { cost: 2 },
      c: { cost: 4 },
    })
  })
})
