import { pageOf, type Page } from './read-answer.ts'
import type { Reached } from './reach.ts'

/** All of a list, page by page. `path` has a question mark already. `most`: enough of it. */
export async function allPages<T>({ ask }: Reached, path: string, most = Infinity): Promise<T[]> {
  const items: T[] = []
  for (let cursor: string | null = ''; cursor !== null && items.length < most;) {
    const more = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`
    const limit = Math.min(200, most - items.length)
    const page: Page<T> = await pageOf(await ask('GET', `${path}&limit=${limit}${more}`))
    items.push(...page.items)
    cursor = page.next
  }
  return items
}
