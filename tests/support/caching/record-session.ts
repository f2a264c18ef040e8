import { compose } from '../../../src/app.ts'
import type { Limits } from '../../../src/config/index.ts'
import type { Protocol } from '../../../src/contract/outcome.ts'
import type { Tool } from '../../../src/contract/tool.ts'
import { WIRES, type WireName } from '../faulty-provider/wires.ts'
import type { Dict } from '../strict-provider/values.ts'
import { startRecordingProvider } from './recording-provider.ts'

/** Models that think, where a provider has one. */
const MODELS: Partial<Record<WireName, string>> = {
  anthropic: 'claude-sonnet',
  openai: 'gpt-5.4',
  deepseek: 'deepseek-reasoner',
}

/** Calls of a tool in each round. */
const ROUNDS = [2, 0, 3, 1, 3, 2, 2, 3, 2, 2]

const look: Tool = {
  name: 'look',
  description: 'Looks at what is at a path.',
  input: { type: 'object', properties: { path: { type: 'string', maxLength: 100 } }, required: ['path'] },
  effect: 'pure',
  run: ({ path }) => {
    if (path === 'shelf/4') throw new Error('There is no such shelf.')
    return `At ${JSON.stringify(path)} there are ${'books and '.repeat(90)}nothing else.`
  },
}

/** Nothing is summarised and nothing is cut. */
const WHOLE = { HISTORY_MESSAGES: 0 }
const ENOUGH_CALLS = { MAX_CYCLES: 9 }

/** What a provider of this kind is sent in a session of ten messages with tools. */
export async function recordSession(
  home: string,
  wire: WireName,
  protocol: Protocol,
  limits: Partial<Limits> = WHOLE,
): Promise<readonly Dict[]> {
  const provider = await startRecordingProvider()
  const settings = {
    home,
    env: provider.env,
    durability: 'normal',
    builtInTools: false,
    tools: [look],
    limits: { ...ENOUGH_CALLS, ...limits },
  } as const
  const segno = await compose(settings, {})
  try {
    const { id } = await segno.createSession({ model: MODELS[wire] ?? WIRES[wire].model })
    for (const [at, calls] of ROUNDS.entries()) {
      provider.nextRound(calls)
      const { completion } = await segno.streamRequest(id, `Question ${at + 1}: what is on the shelf?`, { protocol })
      const { finishReason, error } = await completion
      if (finishReason !== 'complete') throw new Error(`${wire}: a round ended with ${finishReason}: ${error ?? ''}`)
    }
    return provider.bodies
  } finally {
    await segno.close()
    await provider.close()
  }
}
