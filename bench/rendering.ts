import { LOCAL_OWNER } from '../src/contract/actor.ts'
import { gatherParts, type Asked } from '../src/context/index.ts'
import type { GovernedPrompt } from '../src/contract/governed-prompt.ts'
import { promptFor } from '../src/round/prompt-for.ts'
import { render } from '../src/model/render/render.ts'
import { fold, type SessionState } from '../src/session/index.ts'
import type { Place } from './place.ts'
import { compare, type Line } from './report.ts'
import { interleave } from './sampling.ts'
import { longSession, openSegno } from './subject.ts'

const model = { key: 'k', provider: 'anthropic', modelId: 'm', window: 1_000_000, maxOutput: 4000 }

/** The layers that every prompt has, and all there are. */
const FEWEST: Asked = {
  userId: 'u',
  systemPrompt: undefined,
  workspace: { instructions: '', instructionsBy: null, instructionsTrusted: true },
  tools: false,
  prompt: async () => undefined,
  preferences: async () => undefined,
}
const words = 'Answer as the handbook says. '.repeat(60)
const governed = { id: 'p', version: 2, content: words } as GovernedPrompt
const ALL: Asked = {
  ...FEWEST,
  workspace: { instructions: words, instructionsBy: 'u', instructionsTrusted: true },
  tools: true,
  prompt: async () => governed,
  preferences: async () => ({
    tenant: 't',
    userId: 'u',
    preferences: { responseLength: 'concise', formality: 'formal', customInstructions: words },
    version: 1,
    salt: 'salt',
    updatedAt: 0,
  }),
}

/** Building and rendering a prompt: does it cost what is sent, or what the log holds? */
export async function benchRendering(place: Place, samples: number): Promise<Line[]> {
  // A summary would leave little to build.
  const segno = await openSegno(place.folder('rendering'), 'normal', { COMPACT_PERCENT: 0 })
  const states: SessionState[] = []
  for (const messages of [1000, 100]) {
    const id = await longSession(segno, messages)
    states.push(fold(await segno.sessions.events(LOCAL_OWNER, id)))
  }
  await segno.close()
  const [long, short] = states as [SessionState, SessionState]

  const side = (state: SessionState, historyMessages: number, asked = FEWEST) => {
    const settings = { historyMessages, contextTokens: 10_000_000 }
    return {
      async run(): Promise<void> {
        for (let i = 0; i < 20; i++) {
          const parts = await gatherParts(asked)
          const { prompt } = await promptFor(
            state,
            settings,
            { parts, tools: [], toolChars: 0, texts: new Map() },
            model,
          )
          const request = { prompt, tools: [], mayUseTools: true, sessionId: 's', requestId: 'r', files: new Map() }
          render(request, model, 1, new AbortController().signal)
        }
      },
    }
  }
  const [sent50, of100] = await interleave([side(long, 50), side(short, 50)], samples, samples)
  const [layers, few] = await interleave([side(short, 50, ALL), side(short, 50)], samples, samples)
  const [all, tenth] = await interleave([side(long, 10_000), side(short, 10_000)], samples, samples)
  return [
    compare('20 prompts of 50 messages from a log of 1000, next to one of 100', sent50, of100, 1.2),
    compare('20 prompts with all layers, next to those with two', layers, few, 1.3),
    compare('20 prompts of all 1000 messages, next to all 100', all, tenth, 12),
  ]
}
