import { describe, expect, it } from 'vitest'
import { Problem } from '../../contract/problem.ts'
import { defaultScript } from './default-script.ts'
import { parseScript } from './script.ts'

function problemOf(json: unknown): Problem {
  try {
    parseScript(json)
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
  throw new Error('the script was accepted')
}

const turn = (more: object) => ({ scenarios: [{ when: 'a', turns: [{ text: 'fine' }, more] }] })

describe('parseScript', () => {
  it('accepts every field', () => {
    const script = {
      scenarios: [
        {
          when: '^all',
          repeat: true,
          purpose: 'summary',
          turns: [
            {
              text: 't',
              reasoning: 'r',
              calls: [
                { name: 'a', args: { x: [1] }, id: 'same' },
                { name: 'b', rawArgs: '{', id: 'same' },
                { name: '', rawArgs: '' },
                { name: 'c' },
              ],
              usage: { input: 1, output: 2, cachedRead: 3, cachedWrite: 4, reasoning: 5 },
              stopReason: 'max_tokens',
              delayMs: 0,
              deltaChars: 1,
              argDeltas: 2,
              fault: { kind: 'error', status: 429, code: 'slow_down', retryAfterMs: 5, afterDeltas: 1 },
            },
            { fault: { kind: 'cut', afterDeltas: 3 } },
            { fault: { kind: 'stall' } },
            { fault: { kind: 'overloaded' } },
            {},
          ],
        },
      ],
      otherwise: { text: 'Echo: {{message}}' },
    }
    expect(parseScript(script)).toEqual(script)
  })

  it('accepts an empty script and the default one', () => {
    expect(parseScript({})).toEqual({})
    expect(parseScript(defaultScript)).toBe(defaultScript)
  })

  it('refuses with a CONFIG_ERROR that names the field', () => {
    const problem = problemOf({
      scenarios: [
        { when: 'a', turns: [{}] },
        { when: 'b', turns: {} },
      ],
    })
    expect(problem).toMatchObject({ code: 'CONFIG_ERROR', field: 'scenarios[1].turns' })
    expect(problem.message).toBe('scenarios[1].turns: expected an array, got an object')
  })

  it.each([
    [42, 'script: expected an object'],
    [{ scenario: [] }, 'scenario: unknown key, expected one of scenarios, otherwise'],
    [{ scenarios: [{ turns: [{}] }] }, 'scenarios[0].when: expected a string, got nothing'],
    [{ scenarios: [{ when: 'a', turns: [] }] }, 'scenarios[0].turns: expected an array of at least 1'],
    [{ scenarios: [{ when: 'a', turns: [{}], repeat: 1 }] }, 'scenarios[0].repeat: expected true or false, got 1'],
    [
      { scenarios: [{ when: 'a', turns: [{}], purpose: 'joke' }] },
      'purpose: expected one of summary, title, got "joke"',
    ],
    [{ otherwise: 'hi' }, 'otherwise: expected an object, got "hi"'],
    [turn({ txt: 'a' }), 'scenarios[0].turns[1].txt: unknown key'],
    [turn({ text: 1 }), 'scenarios[0].turns[1].text: expected a string, got 1'],
    [turn({ delayMs: -1 }), 'scenarios[0].turns[1].delayMs: expected a whole number from 0 to 2147483647, got -1'],
    [turn({ deltaChars: 0 }), 'scenarios[0].turns[1].deltaChars: expected a whole number of at least 1, got 0'],
    [turn({ argDeltas: 0 }), 'scenarios[0].turns[1].argDeltas: expected a whole number of at least 1, got 0'],
    [turn({ stopReason: 'tired' }), 'scenarios[0].turns[1].stopReason: expected one of end_turn, tool_use,'],
    [turn({ usage: { input: 1 } }), 'scenarios[0].turns[1].usage.output: expected a whole number'],
    [turn({ usage: { input: 1, output: 1, cost: 1 } }), 'scenarios[0].turns[1].usage.cost: unknown key'],
    [turn({ calls: [{ args: {} }] }), 'scenarios[0].turns[1].calls[0].name: expected a string, got nothing'],
    [turn({ calls: [{ name: 'a', args: [] }] }), 'scenarios[0].turns[1].calls[0].args: expected an object'],
    [turn({ calls: [{ name: 'a', args: {}, rawArgs: '' }] }), 'calls[0].rawArgs: expected nothing beside args'],
    [turn({ fault: 'cut' }), 'scenarios[0].turns[1].fault: expected an object, got "cut"'],
    [
      turn({ fault: {} }),
      'scenarios[0].turns[1].fault.kind: expected one of cut, stall, error, overloaded, got nothing',
    ],
    [turn({ fault: { kind: 'constructor' } }), 'fault.kind: expected one of cut, stall, error, overloaded'],
    [turn({ fault: { kind: 'cut', afterDeltas: -1 } }), 'fault.afterDeltas: expected a whole number of at least 0'],
    [turn({ fault: { kind: 'cut', status: 500 } }), 'fault.status: unknown key, expected one of kind, afterDeltas'],
    [turn({ fault: { kind: 'error', status: 400, code: 7 } }), 'fault.code: expected a string, got 7'],
    [turn({ fault: { kind: 'error' } }), 'fault.status: expected a whole number from 400 to 599, got nothing'],
  ])('refuses %j', (json, message) => {
    expect(problemOf(json).message).toContain(message)
  })

  it('names a pattern that is no regular expression and says why', () => {
    const { message } = problemOf({ scenarios: [{ when: 'fetch (', turns: [{}] }] })
    expect(message).toMatch(
      /^scenarios\[0\]\.when: expected a regular expression \(.*Unterminated group\), got "fetch \("/,
    )
  })
})
