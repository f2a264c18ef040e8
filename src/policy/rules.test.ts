import { describe, expect, test } from 'vitest'
import type { Verdict } from '../contract/outcome.ts'
import { verifies } from '../../tests/support/verifies.ts'
import type { Facts } from './facts.ts'
import { approval } from './approval.ts'
import { budget, cost, duplicate, enabled, exists, limit, mode, parse, permission, schema, type Rule } from './rules.ts'
import { someCall, type Given as SomeCall } from './some-call.suite.ts'

type Given = Omit<SomeCall, 'tool'> & { readonly tool?: SomeCall['tool'] | null }

const facts = ({ tool, ...more }: Given = {}): Facts =>
  tool === null ? { ...someCall(more), tool: undefined } : someCall({ ...more, ...(tool && { tool }) })

const spoken = (verdict: Verdict | undefined): string => {
  if (verdict?.kind === 'allow') return 'allow'
  if (verdict?.kind === 'ask') return verdict.rememberable ? 'ask' : 'ask, not to be remembered'
  return verdict?.kind === 'refuse' ? verdict.code : 'nothing'
}

function says(rule: Rule, given: Given): string {
  return spoken(rule(facts(given), {}))
}

test('parse refuses arguments that did not parse, also empty ones', () => {
  expect(says(parse, {})).toBe('nothing')
  expect(says(parse, { unparsed: '{"x":' })).toBe('INVALID')
  expect(says(parse, { unparsed: '' })).toBe('INVALID')
})

test('exists refuses a tool nobody knows', () => {
  expect(says(exists, {})).toBe('nothing')
  expect(says(exists, { tool: null })).toBe('UNKNOWN_TOOL')
  expect(exists(facts({ tool: null, missing: 'It is disabled: no paper.' }), {})).toMatchObject({
    message: 'It is disabled: no paper. Use one of the tools you were offered.',
  })
})

test('schema refuses what does not fit, and says what', () => {
  expect(says(schema, {})).toBe('nothing')
  expect(schema(facts({ schemaError: 'x is missing' }), {})).toMatchObject({
    code: 'INVALID',
    message: expect.stringContaining('x is missing') as string,
  })
})

describe('duplicate', () => {
  const again = { signatures: new Set(['sig']) }
  verifies('PHA-5', 'refuses every repeated call of a triggered round', () => {
    for (const effect of ['pure', 'keyed', 'verifiable', 'unsafe'] as const) {
      expect(says(duplicate, { tool: { effect }, round: { ...again, protocol: 'triggered' } })).toBe('DUPLICATE')
    }
  })

  verifies('PHA-5', 'lets a unified round read the same thing again, and do nothing else again', () => {
    expect(says(duplicate, { tool: { effect: 'pure' }, round: again })).toBe('nothing')
    for (const effect of ['keyed', 'verifiable', 'unsafe'] as const) {
      expect(says(duplicate, { tool: { effect }, round: again })).toBe('DUPLICATE')
    }
  })

  test('does not mind another call', () => {
    expect(says(duplicate, { round: { signatures: new Set(['other']), protocol: 'triggered' } })).toBe('nothing')
  })
})

test('enabled lets a round use what its sender says, and everything where nothing is said', () => {
  for (const enableTools of [undefined, true, ['send']] as const)
    expect(says(enabled, { round: { enableTools } })).toBe('nothing')
  for (const enableTools of [false, [], ['other']] as const)
    expect(says(enabled, { round: { enableTools } })).toBe('MODE')
})

verifies('PHA-12', 'mode lets a plan use only pure tools', () => {
  for (const effect of ['keyed', 'verifiable', 'unsafe'] as const) {
    expect(says(mode, { tool: { effect }, round: { mode: 'plan' } })).toBe('MODE')
    expect(says(mode, { tool: { effect }, round: { mode: 'act' } })).toBe('nothing')
  }
  expect(says(mode, { tool: { effect: 'pure' }, round: { mode: 'plan' } })).toBe('nothing')
})

describe('a tool that remembers', () => {
  const tool = { effect: 'keyed', remembers: true } as const

  verifies('GOV-18', 'has a limit of its own, and counts for no other', () => {
    expect(says(limit, { tool, round: { executions: 3, maxExecutions: 3, remembered: 4 } })).toBe('nothing')
    expect(says(limit, { tool, round: { remembered: 5 } })).toBe('LIMIT')
    expect(says(limit, { round: { remembered: 5 } })).toBe('nothing')
  })

  test('is called in unified rounds only, for those who may write memories', () => {
    expect(says(mode, { tool, round: { protocol: 'triggered' } })).toBe('MODE')
    expect(says(mode, { tool })).toBe('nothing')
    expect(says(permission, { tool, round: { permissions: ['tool:invoke'] } })).toBe('PERMISSION')
    expect(says(permission, { tool, round: { permissions: ['tool:invoke', 'memory:*'] } })).toBe('nothing')
  })
})

describe('permission', () => {
  test.each([
    [['*'], 'nothing'],
    [['tool:invoke'], 'nothing'],
    [['tool:send'], 'nothing'],
    [['tool:sen', 'tool:sender', 'tool:', 'send'], 'PERMISSION'],
    [[], 'PERMISSION'],
  ])('%j says %s', (permissions, verdict) => {
    expect(says(permission, { round: { permissions } })).toBe(verdict)
  })
})

test('cost refuses what could not be estimated', () => {
  expect(says(cost, { estimate: { cost: 0, confidence: 'failed' } })).toBe('COST_ESTIMATE_FAILED')
  for (const confidence of ['exact', 'estimate', 'unknown'] as const) {
    expect(says(cost, { estimate: { cost: 99, confidence } })).toBe('nothing')
  }
})

verifies('GOV-7', 'limit refuses more calls than a round may carry out', () => {
  expect(says(limit, { round: { executions: 2, maxExecutions: 3 } })).toBe('nothing')
  expect(says(limit, { round: { executions: 3, maxExecutions: 3 } })).toBe('LIMIT')
  expect(says(limit, { round: { executions: 0, maxExecutions: 0 } })).toBe('LIMIT')
})

test('budget refuses what costs more than is left, to the last micro-dollar', () => {
  const estimate = { cost: 10, confidence: 'exact' } as const
  expect(says(budget, { estimate, budget: 10 })).toBe('nothing')
  expect(says(budget, { estimate, budget: 9 })).toBe('BUDGET_EXCEEDED')
  expect(says(budget, { estimate })).toBe('nothing')
  expect(says(budget, { estimate: { cost: 0, confidence: 'exact' }, budget: 0 })).toBe('nothing')
})

describe('approval', () => {
  verifies('ORC-8', 'asks as the tool declares', () => {
    expect(says(approval, { tool: { approval: 'auto' } })).toBe('allow')
    expect(says(approval, { tool: { approval: 'ask' } })).toBe('ask')
    expect(says(approval, { tool: { approval: 'always' } })).toBe('ask, not to be remembered')
  })

  verifies('ORC-8', 'takes a yes for exactly this call', () => {
    for (const need of ['ask', 'always'] as const) {
      expect(says(approval, { tool: { approval: need }, approved: true })).toBe('allow')
    }
  })

  verifies('ORC-8', 'takes a remembered yes only where a person need not always look', () => {
    expect(says(approval, { tool: { approval: 'ask' }, remembered: true })).toBe('allow')
    expect(says(approval, { tool: { approval: 'always' }, remembered: true })).toBe('ask, not to be remembered')
  })

  verifies(
    'REL-2',
    'asks about a call that may already have happened, whatever the tool declares or was remembered',
    () => {
      for (const need of ['auto', 'ask', 'always'] as const) {
        const given = { tool: { approval: need }, unknownEffect: true, remembered: true }
        expect(says(approval, given)).toBe('ask, not to be remembered')
        expect(says(approval, { ...given, approved: true })).toBe('allow')
      }
    },
  )

  test('asks when nobody knows what it costs', () => {
    const estimate = { cost: 0, confidence: 'unknown' } as const
    expect(says(approval, { estimate, remembered: true })).toBe('ask, not to be remembered')
    expect(says(approval, { estimate, approved: true })).toBe('allow')
  })

  test('says nothing of a tool nobody knows, and silence refuses', () => {
    expect(says(approval, { tool: null })).toBe('nothing')
  })

  test.each(['outward', 'secrets'] as const)(
    'asks before a tainted round reaches %s, whatever was allowed, or remembered of other arguments',
    (reach) => {
      const given = { tool: { reach: [reach] }, round: { taintedBy: 'web_fetch' }, remembered: true }
      expect(says(approval, given)).toBe('ask')
      expect(says(approval, { ...given, approved: true })).toBe('allow')
      expect(says(approval, { ...given, rememberedExactly: true })).toBe('allow')
      expect(says(approval, { ...given, round: {} })).toBe('allow')
      expect(says(approval, { ...given, tool: { reach: [] } })).toBe('allow')
    },
  )

  describe('of an address, in a tainted round', () => {
    const given = { tool: { reach: ['address'] }, round: { taintedBy: 'web_fetch' }, remembered: true } as const
    const address = (chars: number, sum: number) => ({ ...given, address: { chars, sum, most: 200 } })

    test('says nothing where somebody else named it, however much was built before', () => {
      expect(says(approval, address(0, 9000))).toBe('allow')
    })

    test('asks for one that was built once the paths of all of them have more characters than go unasked', () => {
      expect(says(approval, address(60, 200))).toBe('allow')
      expect(says(approval, address(60, 201))).toBe('ask')
      expect(says(approval, { ...address(60, 201), rememberedExactly: true })).toBe('allow')
      expect(says(approval, { ...address(60, 201), round: {} })).toBe('allow')
    })

    test('asks where nobody said which address it is, or where more than an address leaves', () => {
      expect(says(approval, given)).toBe('ask')
      expect(says(approval, { ...address(0, 0), tool: { reach: ['address', 'outward'] } })).toBe('ask')
    })
  })
})
