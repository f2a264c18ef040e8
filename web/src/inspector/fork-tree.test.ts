import { describe, expect, it } from 'vitest'
import type { Session } from '../../../src/client/index.ts'
import { forkTree, type Branch } from './fork-tree.ts'

const session = (id: string, parent?: string) =>
  ({ id, title: id, ...(parent !== undefined && { parent: { sessionId: parent, seq: 1 } }) }) as Session

/** `a(b(c) d)`; what was deleted has a `!`. */
const drawn = ({ id, session: one, forks }: Branch): string =>
  `${id}${one ? '' : '!'}${forks.length > 0 ? `(${forks.map(drawn).join(' ')})` : ''}`

describe('the forks of a conversation', () => {
  it('hang on what they were forked from, in the order in which they were made', () => {
    expect(drawn(forkTree('a', [session('a'), session('b', 'a'), session('c', 'b'), session('d', 'a')]))).toBe(
      'a(b(c) d)',
    )
  })

  it('are still shown when what they came from was deleted', () => {
    expect(drawn(forkTree('a', [session('b', 'a'), session('c', 'b')]))).toBe('a!(b(c))')
    expect(drawn(forkTree('a', [session('a'), session('c', 'b')]))).toBe('a(c)')
  })
})
