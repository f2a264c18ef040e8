import type { Capabilities } from '../../contract/model-facts.ts'
import type { ModelEntry } from '../model.ts'

/** What can be known of a model, whoever serves it. */
export type Traits = Partial<Capabilities & Pick<ModelEntry, 'window' | 'maxOutput' | 'files' | 'outputField'>>

const ROOM = { maxOutput: 16_000 }
const CLAUDE: Traits = { ...ROOM, window: 200_000, files: 'documents', reasoning: true, structuredOutput: true }
const GPT: Traits = { ...ROOM, window: 128_000, files: 'documents', reasoning: false, structuredOutput: true }
/** Thoughts count towards the answer, and a temperature is refused. */
const GPT_THINKS: Traits = {
  ...GPT,
  window: 200_000,
  reasoning: true,
  takesTemperature: false,
  outputField: 'max_completion_tokens',
}
const GEMINI: Traits = { ...ROOM, window: 1_000_000, files: 'documents', reasoning: true, structuredOutput: true }

/** By the beginning of a plain id; the first that fits counts. */
const RULES: readonly (readonly [RegExp, Traits])[] = [
  [/^claude-(?:instant|v?2|3)/, { window: 200_000, maxOutput: 4000, reasoning: false }],
  [/^claude-(?:opus|sonnet)-4-6|^claude-(?:opus|sonnet|haiku)-4-5|^claude-opus-4-1/, CLAUDE],
  [/^claude-(?:opus|sonnet)-4(?:-0)?$/, { ...CLAUDE, structuredOutput: false }],
  // All newer ones.
  [/^claude-/, { ...CLAUDE, takesTemperature: false }],
  [/^o[1-9](?:-|$)/, GPT_THINKS],
  [/^gpt-[5-9](?:-\d+)?-chat/, GPT],
  [/^gpt-5(?:-[1-4])?(?:-|$)/, { ...GPT_THINKS, window: 400_000 }],
  [/^gpt-[5-9]/, { ...GPT_THINKS, window: 1_050_000 }],
  [/^gpt-4-1/, { ...GPT, window: 1_047_576 }],
  [/^gpt-4o(?:-mini)?-search/, { ...GPT, tools: false, takesTemperature: false }],
  [/^gpt-4o/, GPT],
  [/^gpt-3/, { window: 16_000, maxOutput: 4000, files: 'none', reasoning: false }],
  [/^gpt-oss/, { ...ROOM, window: 128_000, files: 'none', reasoning: true }],
  [/^deepseek-(?:v4-flash-vision)/, { ...ROOM, window: 1_000_000, files: 'pictures', reasoning: true }],
  [/^deepseek-(?:v[4-9]|flash|pro)/, { ...ROOM, window: 1_000_000, files: 'none', reasoning: true }],
  [/^gemini-2-0/, { ...GEMINI, maxOutput: 8000, reasoning: false }],
  [/^gemini-/, GEMINI],
  [/^gemma-?[1-3]/, { window: 32_000, tools: false, reasoning: false }],
  [/^grok-/, { ...ROOM, window: 256_000, files: 'pictures', outputField: 'max_completion_tokens' }],
]

/** What is known of a model by its id; undefined if that is nothing. */
export function traitsOf(modelId: string): Traits | undefined {
  const id = plainId(modelId)
  return RULES.find(([begins]) => begins.test(id))?.[1]
}

/** The id without what those who serve a model put around it: `eu.anthropic.claude-x-4-5-20250929-v1:0`, `openai/gpt-x`. */
export function plainId(modelId: string): string {
  const [name = ''] = modelId.slice(0, 200).toLowerCase().split('/').at(-1)?.split(/[:@]/, 1) ?? []
  return name
    .replace(/^(?:[a-z-]{2,8}\.)?anthropic\./, '')
    .replace(/-v\d$/, '')
    .replace(/-(?:\d{8}|\d{4}-\d{2}-\d{2})$/, '')
    .replaceAll('.', '-')
}
