import { describe, expect, it } from 'vitest'
import { matchWords } from './match-words.ts'

const commands = ['Switch model to opus', 'Switch protocol to triggered', 'Theme: dark'].map((label) => ({ label }))
const found = (typed: string) => matchWords(commands, typed).map(({ label }) => label)

describe('what can be done, by name', () => {
  it('has all the words that were typed, in any order and case', () => {
    expect(found('OPUS switch')).toEqual(['Switch model to opus'])
    expect(found('switch')).toHaveLength(2)
  })

  it('is everything while nothing is typed, and nothing for a word that nothing has', () => {
    expect(found('')).toHaveLength(3)
    expect(found('zebra')).toEqual([])
  })
})
