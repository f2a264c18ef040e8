import { describe, expect, it } from 'vitest'
import type { Session } from '../../../src/client/index.ts'
import { withNewest, withOlder } from './merge-sessions.ts'

const at = (n: number): string => new Date(Date.UTC(2026, 10, 15) + n * 1000).toISOString()

/** `n` is also when it was made, and `used` when it was used: a higher one is newer. */
const session = (n: number, { title = `title ${n}`, used = n } = {}): Session => ({
  id: `s${n}`,
  workspaceId: 'system',
  title,
  seq: 1,
  archived: false,
  createdAt: at(n),
  updatedAt: at(used),
  usedAt: at(used),
})
const ids = ({ items }: { items: readonly Session[] }) => items.map(({ id }) => id).join(' ')

describe('a list of conversations that is read again', () => {
  const loaded = { items: [5, 4, 3, 2, 1].map((n) => session(n)), next: '1' }

  it('keeps what is older than the newest page, with where it ends', () => {
    const next = withNewest(loaded, { items: [6, 5, 4].map((n) => session(n)), next: '4' })
    expect(ids(next)).toBe('s6 s5 s4 s3 s2 s1')
    expect(next.next).toBe('1')
  })

  it('leaves out what is gone from the newest page', () => {
    const next = withNewest(loaded, { items: [5, 3].map((n) => session(n)), next: '3' })
    expect(ids(next)).toBe('s5 s3 s2 s1')
  })

  it('takes the newest word about each', () => {
    const next = withNewest(loaded, { items: [session(5, { title: 'renamed' }), session(4)], next: '4' })
    expect(next.items[0]?.title).toBe('renamed')
  })

  it('forgets everything else when the newest page is all there is', () => {
    expect(ids(withNewest(loaded, { items: [session(2)], next: null }))).toBe('s2')
    expect(ids(withNewest(loaded, { items: [], next: null }))).toBe('')
  })

  it('begins anew when more new ones came than one page holds, rather than leave a hole', () => {
    const next = withNewest(loaded, { items: [9, 8].map((n) => session(n)), next: '8' })
    expect(ids(next)).toBe('s9 s8')
    expect(next.next).toBe('8')
  })

  it('moves up what was used again, wherever it was', () => {
    const next = withNewest(loaded, { items: [session(1, { used: 7 }), session(5)], next: '5' })
    expect(ids(next)).toBe('s1 s5 s4 s3 s2')
    expect(next.next).toBe('1')
  })

  it('begins anew when all of the newest page was used since: others may have been as well', () => {
    const next = withNewest(loaded, { items: [session(1, { used: 9 }), session(2, { used: 8 })], next: '8' })
    expect(ids(next)).toBe('s1 s2')
    expect(next.next).toBe('8')
  })

  it('adds a further page without a repeat', () => {
    const next = withOlder(loaded, { items: [session(1), session(0)], next: null })
    expect(ids(next)).toBe('s5 s4 s3 s2 s1 s0')
    expect(next.next).toBeNull()
  })
})
