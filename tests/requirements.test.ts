import { describe, expect, test } from 'vitest'
import { planned, requirements } from './requirements.ts'
import { citations, citationsIn, readCitations, requirementProblems } from './support/requirement-scan.ts'

test('every requirement is either shown by a test or planned, never both', () => {
  expect(requirementProblems(readCitations()).join('\n')).toBe('')
})

describe('the scan', () => {
  test('reads one id or several, over several lines', () => {
    expect(citationsIn(`verifies('PHA-5', 'a', f); verifies(\n  ['LIN-1', "LIN-2"],\n  'b', f)`)).toEqual([
      'PHA-5',
      'LIN-1',
      'LIN-2',
    ])
  })

  test('does not count a mention in a comment, a title or another call', () => {
    expect(
      citationsIn(`
        // verifies('PHA-5', 'later', f)
        /* verifies('PHA-6', 'later', f) */
        test('[PHA-7] shows something at https://example.org', f)
      `),
    ).toEqual([])
  })

  test('reports an id that is shown and planned, one that is neither, and one that does not exist', () => {
    const everythingElse = Object.keys(requirements).filter((id) => id !== 'PHA-5' && id !== 'ORC-1')
    const cited = citations({ 'a.test.ts': `verifies(['PHA-5', 'PHA-99'], 'a', f)` })
    const problems = requirementProblems(cited, ['PHA-5', ...everythingElse])
    expect(problems).toEqual([
      'PHA-99 is not a requirement, but is cited in a.test.ts',
      expect.stringMatching(/^ORC-1 has no test: /),
      'PHA-5 is shown in a.test.ts: take it off the planned list in tests/requirements.ts',
    ])
  })

  test('the planned list names only requirements, each once', () => {
    expect(new Set(planned).size).toBe(planned.length)
    expect(planned.filter((id) => !(id in requirements))).toEqual([])
  })
})
