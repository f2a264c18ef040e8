import { dictsOf, isDict, listOf, textOf, type Dict } from '../strict-provider/values.ts'

/** How much of a request the next one begins with, and where they part. */
export interface Kept {
  /** bytes that should be kept */
  readonly bytes: number
  /** how many of them are, from 0 to 1 */
  readonly share: number
  /** what stands there in the one and in the other, if not all are kept */
  readonly parting?: readonly [string, string]
}

/** Each request next to the one after it. */
export function keptFromEach(bodies: readonly Dict[]): Kept[] {
  return bodies.slice(1).map((after, at) => keptOf(serialised(bodies[at] as Dict), serialised(after)))
}

/** The same of triggered rounds: only what comes before the last message of the first request and its notes. */
export function keptBeforeEach(bodies: readonly Dict[]): Kept[] {
  return bodies.slice(1).map((after, at) => keptOf(serialised(beforeLast(bodies[at] as Dict)), serialised(after)))
}

function keptOf(before: string, after: string): Kept {
  const [a, b] = [Buffer.from(before), Buffer.from(after)]
  let at = 0
  while (at < a.length && a[at] === b[at]) at += 1
  const share = a.length === 0 ? 1 : at / a.length
  if (at === a.length) return { bytes: a.length, share }
  const around = (bytes: Buffer): string => bytes.subarray(Math.max(0, at - 60), at + 60).toString()
  return { bytes: a.length, share, parting: [around(a), around(b)] }
}

/** Where each API has its messages. */
const LISTS = ['messages', 'input', 'contents'] as const
/** What comes first for every provider's cache, whatever the order in the body. */
const FIRST = ['tools', 'system', 'systemInstruction'] as const
/** Whether tools may be used differs in the last call of a round only. */
const FREE = ['tool_choice', 'toolConfig']

/** Everything a cache depends on, in one order, without the marks that tell it where to look. */
function serialised(body: Dict): string {
  const rest = Object.entries(body).filter(([name]) => ![...LISTS, ...FIRST, ...FREE].includes(name))
  const parts = [Object.fromEntries(rest), ...FIRST.map((name) => body[name] ?? null), ...messagesOf(body)]
  return parts
    .map((part) => JSON.stringify(part, (name, value: unknown) => (name === MARK ? undefined : value)))
    .join('')
}

const MARK = 'cache_control'

function messagesOf(body: Dict): readonly Dict[] {
  return LISTS.flatMap((name) => dictsOf(listOf(body[name])))
}

/** Without the last message of a user and the system messages right before it. */
function beforeLast(body: Dict): Dict {
  const messages = messagesOf(body)
  const roles = messages.map(({ role }) => textOf(role))
  const asked = roles.lastIndexOf('user')
  const from = roles.slice(0, asked).findLastIndex((role) => !['system', 'developer'].includes(role)) + 1
  const list = LISTS.find((name) => isDict(listOf(body[name])[0])) ?? 'messages'
  return { ...body, [list]: messages.slice(0, from) }
}
