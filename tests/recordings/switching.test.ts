import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect } from 'vitest'
import type { MessageContent } from '../../src/contract/message.ts'
import type { Protocol } from '../../src/contract/outcome.ts'
import { picture } from '../scenarios/files/support/sample-files.ts'
import { verifies } from '../support/verifies.ts'
import { providerChecker } from './check-request.ts'
import { ordinaryFrames } from './ordinary.ts'
import { markOf } from './playing-server.ts'
import { readRecording, type Recording } from './read-recording.ts'
import { framesOf } from './sse.ts'
import { openStage, type Stage } from './stage.ts'

const STREAMS = fileURLToPath(new URL('streams', import.meta.url))
const recording = (name: string): Recording => readRecording(join(STREAMS, `${name}.chunks.txt`))

/** What models of each provider say, one after the other: thoughts with calls, then sources or files. */
const SAYS: Readonly<Record<string, readonly [Recording, Recording]>> = {
  anthropic: [recording('anthropic-thinking-call'), recording('anthropic-web-search')],
  openai: [recording('openai-reasoning-several-summaries'), recording('openai-web-search')],
  'openai-chat': [recording('openai-chat-calls-several'), recording('openai-chat-citations')],
  deepseek: [recording('deepseek-reasoning-text-calls'), recording('deepseek-reasoning')],
  google: [recording('google-thinking-call'), recording('google-image')],
  openrouter: [recording('openrouter-details-call'), recording('openrouter-citations')],
  xai: [recording('xai-reasoning-call'), recording('xai-citations')],
  mistral: [recording('mistral-thinking-call'), recording('mistral-calls')],
  groq: [recording('groq-reasoning-call'), recording('groq-usage-elsewhere')],
  kimi: [recording('kimi-reasoning-call'), recording('kimi-call-without-thought')],
  'openai-compatible': [recording('compatible-thought-signature'), recording('compatible-reasoning-field')],
}
/** Models that think nothing. */
const QUIET: readonly [Recording, Recording] = [recording('openai-phase-call'), recording('openai-web-search')]

/** Besides all entries of the registry. */
const MORE = [
  'openai-chat:gpt-4.1',
  'openrouter:anthropic/claude-sonnet-5',
  'xai:grok-4.7',
  'mistral:mistral-large-latest',
  'groq:openai/gpt-oss-120b',
  'kimi:kimi-k2.6',
  'openai-compatible:llama-4',
]

const PDF = {
  type: 'file',
  mediaType: 'application/pdf',
  name: 'lamps.pdf',
  data: new TextEncoder().encode('%PDF-1.7 lamps'),
} as const
const FIRST: MessageContent = [{ type: 'text', text: 'What is this?' }, picture().file, PDF]

interface Speaker {
  readonly key: string
  readonly provider: string
  readonly says: readonly [Recording, Recording]
}

let stage: Stage
let plays = 100_000
beforeAll(async () => {
  const all = [...Object.values(SAYS), QUIET].flat()
  stage = await openStage({ tools: all.flatMap(({ contents }) => contents.calls.map(({ name }) => name)) })
})
afterAll(() => stage.close())

async function speakers(): Promise<Speaker[]> {
  const entries = (await stage.segno.models()).map(({ key, provider, modelId }) => ({ key, provider, modelId }))
  const more = MORE.map((key) => ({ key, provider: key.slice(0, key.indexOf(':')), modelId: '' }))
  const all = [...entries, ...more].filter(({ key }, at, list) => list.findIndex((one) => one.key === key) === at)
  return all.flatMap(({ key, provider, modelId }) => {
    const says = provider === 'openai' && /^gpt-[34]/.test(modelId) ? QUIET : SAYS[provider]
    return says ? [{ key, provider, says }] : []
  })
}

/** From one to the other, back, and there again; says what was refused on the way. */
async function talk(one: Speaker, other: Speaker, protocol: Protocol): Promise<string[]> {
  const { segno, server } = stage
  const mark = markOf(++plays)
  const refused: string[] = []
  const { id } = await segno.createSession({ protocol })
  // DeepSeek has only words to go by, and here two of its models say the same.
  const isSame = one.provider === 'deepseek' && other.provider === 'deepseek'
  const turns = [
    { who: one, said: one.says[0] },
    { who: other, said: other.says[0] },
    { who: one, said: one.says[1] },
    { who: other, said: other.says[1] },
  ]
  for (const [at, { who, said }] of turns.entries()) {
    const check = providerChecker(who.provider, isSame ? [] : [...(SAYS[who.provider] ?? []), ...QUIET])
    let isFirst = true
    server.add(mark, (body) => {
      refused.push(...check(body).map((fault) => `${one.key}, ${other.key}: ${who.key} refuses: ${fault}`))
      const frames = isFirst ? framesOf(said) : ordinaryFrames(said)
      isFirst = false
      return { pieces: [Buffer.concat(frames)], ending: 'end' }
    })
    const content = at === 0 ? [...(FIRST as []), { type: 'text' as const, text: mark }] : 'And now?'
    const { completion } = await segno.streamRequest(id, content, { model: who.key })
    const { finishReason, error } = await completion
    if (finishReason !== 'complete')
      refused.push(`${one.key}, ${other.key}: ${who.key} ends with ${finishReason}: ${error}`)
  }
  server.remove(mark)
  return refused
}

async function talkAll(speaking: readonly Speaker[], protocol: Protocol): Promise<string[]> {
  const refused: string[] = []
  for (const [at, one] of speaking.entries())
    for (const other of speaking.slice(at + 1)) refused.push(...(await talk(one, other, protocol)))
  return refused
}

const LONG_MS = 120_000

verifies(
  'LIN-5',
  'a conversation with thoughts, files and sources goes from every model to every other and back, and none refuses it',
  async () => {
    const all = await speakers()
    expect(new Set(all.map(({ provider }) => provider))).toEqual(new Set(Object.keys(SAYS)))
    expect(await talkAll(all, 'unified')).toEqual([])
  },
  LONG_MS,
)

verifies(
  'LIN-5',
  'in triggered rounds it goes from every provider to every other and back',
  async () => {
    const all = await speakers()
    const ofEach = Object.keys(SAYS).map((name) => all.find(({ provider }) => provider === name) as Speaker)
    expect(await talkAll(ofEach, 'triggered')).toEqual([])
  },
  LONG_MS,
)
