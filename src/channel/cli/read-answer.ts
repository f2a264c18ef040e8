import { Readable } from 'node:stream'
import { Problem, type ProblemCode } from '../../contract/problem.ts'
import type { Reached } from './reach.ts'

/** What Segno answers with; anything else was said by somebody else. */
const OURS = /json|^text\/(event-stream|markdown)/

/** The same answer if it is one; a problem it tells is thrown as one. */
export async function checked(response: Response): Promise<Response> {
  const type = response.headers.get('content-type')
  const isOurs = (type === null && response.ok) || OURS.test(type ?? '')
  if (!isOurs) throw notSegno(response)
  if (response.ok) return response
  const { code, detail } = await bodyOf<{ code: ProblemCode; detail: unknown }>(response, 'code', 'detail')
  if (typeof detail !== 'string') throw notSegno(response)
  throw new Problem(code, saidOf(code, detail))
}

/** Clients are not told what is wrong with a disk; who runs commands can do something about it. */
function saidOf(code: ProblemCode, detail: string): string {
  if (code === 'KEY_REQUIRED')
    return `${detail} Commands take it from SEGNO_KEY. If nobody has one: stop Segno, segno keys add NAME --role super_admin --operator, start it again.`
  if (code === 'STORE_CORRUPT')
    return 'The database is damaged: a part of it cannot be read. segno db check tells more; restore a backup.'
  return detail
}

/** The object that an answer is, with at least these fields. */
export async function bodyOf<T extends object>(response: Response, ...fields: (keyof T & string)[]): Promise<T> {
  const body = (await response.json().catch((cause: unknown) => {
    if (cause instanceof SyntaxError) throw notSegno(response)
    throw new Problem('STORE_UNAVAILABLE', 'The answer broke off. Is Segno still running?', { cause })
  })) as T | null
  if (typeof body !== 'object' || body === null || fields.some((name) => body[name] === undefined))
    throw notSegno(response)
  return body
}

export interface Page<T, Next = string> {
  readonly items: readonly T[]
  readonly next: Next | null
}

const hasItems = ({ items }: { readonly items: unknown }): boolean => Array.isArray(items)

/** One page of a list. */
export async function pageOf<T, Next = string>(response: Response): Promise<Page<T, Next>> {
  const page = await bodyOf<Page<T, Next>>(response, 'items', 'next')
  if (!hasItems(page)) throw notSegno(response)
  return page
}

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

/** A list that comes whole. */
export async function itemsOf<T>(response: Response): Promise<readonly T[]> {
  const list = await bodyOf<{ items: readonly T[] }>(response, 'items')
  if (!hasItems(list)) throw notSegno(response)
  return list.items
}

/** The text that an answer is, as it comes, if it has this type. */
export function textIn(response: Response, type: string): Readable {
  if (!response.body || !response.headers.get('content-type')?.startsWith(type)) throw notSegno(response)
  return Readable.fromWeb(response.body as never).setEncoding('utf8')
}

/** For what is done without a word. */
export function nothingIn(response: Response): void {
  if (response.headers.has('content-type')) throw notSegno(response)
}

function notSegno({ status }: Response): Problem {
  return new Problem('STORE_UNAVAILABLE', `What answered is not Segno (status ${status}). Look at the address.`)
}
