import type { Script } from '../../../src/model/index.ts'
import type { SseRequest } from '../../support/sse-client.ts'

type Kind = 'talks' | 'counts' | 'asks'

type Dialect = 'native' | 'phased' | 'chat' | 'turns'

/** A session with one round, and the way its client follows it. */
export interface Plan {
  readonly n: number
  readonly kind: Kind
  readonly dialect: Dialect
  readonly way: string
  readonly content: string
}

type Way = readonly [name: string, dialect: Dialect]

const NATIVE: readonly Way[] = [
  ['POST messages', 'native'],
  ['GET events', 'native'],
]
const OTHERS: readonly Way[] = [
  ['POST chats', 'chat'],
  ['POST two_stage', 'phased'],
  ['POST request', 'turns'],
  ['GET chats', 'chat'],
  ['POST chat', 'phased'],
  ['GET events in turns', 'turns'],
]

/** Half of them natively, the others in every dialect; each way meets each kind of round. */
export function planStreams(sessions: number): Plan[] {
  return Array.from({ length: sessions }, (_, n) => {
    const ways = n % 2 === 0 ? NATIVE : OTHERS
    const turn = Math.floor(n / 2)
    const [way, dialect] = ways[turn % ways.length] as Way
    const kind = (['talks', 'counts', 'talks', 'asks'] as const)[Math.floor(turn / ways.length) % 4] as Kind
    return { n, kind, dialect, way, content: `${kind} number ${n}, 100% ünïcode 🎈` }
  })
}

const pace = { deltaChars: 5, delayMs: 25 }
const sum = (n: number) => ({ name: 'calculator', args: { expression: `6 * ${n}` } })

/** About three seconds of text, three calls with text before each, or a call that needs a person. */
export const SCRIPT: Script = {
  scenarios: [
    { when: '^talks', turns: [{ text: 'All of this is told in small pieces, pair 🎈 by pair. '.repeat(10), ...pace }] },
    {
      when: '^counts',
      turns: [
        { text: 'First I count what there is to count here. ', calls: [sum(1), sum(2)], ...pace },
        { text: 'Then I count it once more, slowly, to be sure. ', calls: [sum(3)], ...pace },
        { text: 'That makes eighteen, and it took its time to find out. '.repeat(3), ...pace },
      ],
    },
    {
      when: '^asks',
      turns: [
        {
          text: 'I would like to write this down. '.repeat(3),
          calls: [{ name: 'write_file', args: { path: 'notes.txt', content: 'a note\n', mode: 'append' } }],
          ...pace,
        },
        { text: 'It is written down. '.repeat(3), ...pace },
      ],
    },
  ],
}

/** What the client of a plan asks for. Every message has a key: whoever comes back with it joins its round. */
export function requestOf(url: string, { way, content, n }: Plan, sessionId: string): SseRequest {
  const session = `${url}/api/sessions/${sessionId}`
  const headers = { 'idempotency-key': keyOf(n) }
  switch (way) {
    case 'POST messages':
      return { url: `${session}/messages`, body: { content }, headers }
    case 'POST request':
      return { url: `${session}/request`, body: { content }, headers }
    case 'POST chats':
      return { url: `${url}/api/chats/${sessionId}/stream`, body: { content }, headers }
    case 'POST two_stage':
      return { url: `${url}/api/chat/messages_two_stage`, body: { content, sessionId }, headers }
    case 'POST chat':
      return { url: `${url}/api/chat/messages`, body: { content, sessionId }, headers }
    case 'GET chats':
      return { url: `${url}/api/chats/${sessionId}/stream?message=${encodeURIComponent(content)}&key=${keyOf(n)}` }
    case 'GET events':
      return { url: `${session}/events` }
    default:
      return { url: `${session}/events?dialect=turns` }
  }
}

export const keyOf = (n: number): string => `message-${n}`
/** Who only follows must say something first. */
export const onlyFollows = ({ way }: Plan): boolean => way.startsWith('GET events')
