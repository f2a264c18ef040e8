import { expect } from 'vitest'
import type { Store } from '../../../src/store/index.ts'

type Call = (...args: unknown[]) => Promise<unknown>

/**
 * Does everything with two stores and expects the same of both. Cursors are each store's own: a page has both, one after
 * the other, and who asks for the next one gives both back.
 */
export function twinStore(one: Store, other: Store): Store {
  return new Proxy(one, {
    get(_, name: keyof Store) {
      return async (...args: unknown[]) => {
        const [a, b] = await Promise.all([ask(one, 0), ask(other, 1)])
        const pair = cursorsOf(a, b)
        expect(comparable(name, b), `${name}(${JSON.stringify(args)})`).toEqual(comparable(name, a))
        return pair === undefined ? a : { ...(a as object), next: pair }

        function ask(store: Store, which: number): Promise<unknown> {
          return (store[name] as Call)(...args.map((arg) => withCursor(arg, which)))
        }
      }
    },
  })
}

const cursorsOf = (a: unknown, b: unknown): string | undefined =>
  isPage(a) && isPage(b) && a.next !== null && b.next !== null ? `${a.next} ${b.next}` : undefined

const isPage = (value: unknown): value is { items: unknown[]; next: string | null } =>
  typeof value === 'object' && value !== null && 'items' in value && 'next' in value

function withCursor(arg: unknown, which: number): unknown {
  if (typeof arg !== 'object' || arg === null || !('cursor' in arg) || typeof arg.cursor !== 'string') return arg
  return { ...arg, cursor: arg.cursor.split(' ')[which] }
}

function comparable(name: keyof Store, value: unknown): unknown {
  if (name === 'unfinished' || name === 'dueRounds') return (value as string[]).toSorted()
  return isPage(value) ? { items: value.items, hasMore: value.next !== null } : value
}
