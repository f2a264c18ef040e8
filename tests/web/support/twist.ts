import type { Page } from 'playwright-core'
import { HOSTILE } from './hostile.ts'

/** What the page decides by rather than shows, and words that only Segno itself chooses, from closed lists. */
const STRUCTURE = new RegExp(
  '^(?:id|type|state|status|outcome|effect|protocol|mode|role|kind|finishReason|decision|stopReason|phase|next|' +
    'mediaType|permissions|version|code|action|severity|category|effectClass|hash|at|until|for|what|tenant|(?!user)\\w+(?:Id|At|Ids|Hash|Hashes|Until))$',
)

/**
 * Puts a hostile text, signed with the name of its field, in the place of every text the server answers with: as if no
 * check had ever stood between the page and whoever writes.
 */
export async function twistAnswers(page: Page): Promise<void> {
  let next = 0
  const twist = (value: unknown, field: string): unknown => {
    if (typeof value === 'string') {
      if (STRUCTURE.test(field)) return value
      next += 1
      const sign = `§${field.toLowerCase().replaceAll(/[^a-z]/g, '')}-${next};`
      return `${HOSTILE[next % HOSTILE.length]} \u202e<img src=x onerror=window.hacked=1> ${sign}`
    }
    if (Array.isArray(value)) return value.map((one) => twist(one, field))
    if (typeof value !== 'object' || value === null) return value
    const entries = Object.entries(value).map(([key, one]) => [key, twist(one, key)])
    // Segno itself names the layers of a prompt.
    return { ...Object.fromEntries(entries), ...(field === 'layers' && 'name' in value && { name: value.name }) }
  }
  await page.route('**/api/**', async (route) => {
    const request = route.request()
    if (request.method() !== 'GET' || request.headers()['accept']?.includes('event-stream')) return route.continue()
    try {
      const response = await route.fetch()
      if (!response.headers()['content-type']?.includes('json')) return await route.fulfill({ response })
      return await route.fulfill({ response, json: twist(await response.json(), '') })
    } catch (error) {
      // A page that is left takes its open requests with it.
      if (!/disposed|closed|already handled/i.test((error as Error).message)) throw error
      return undefined
    }
  })
}
