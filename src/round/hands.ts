import type { Pulse } from '../contract/pulse.ts'
import type { Workspace } from '../contract/workspace.ts'
import type { Clock } from '../lib/clock.ts'
import type { LanguageModel } from '../model/index.ts'
import type { ToolRegistry } from '../tool/index.ts'

/** What the loop acts with. Everything it needs of the world is in here, so that it knows no adapter. */
export interface Hands {
  readonly clock: Clock
  readonly tools: ToolRegistry
  model(key: string): LanguageModel
  pulse(pulse: Pulse): void
  /** the workspace of a session: its folder, and what the model is told there */
  workspace(tenant: string, id: string): Promise<Pick<Workspace, 'folder' | 'instructions' | 'models'>>
  readonly settings: Settings
}

export interface Settings {
  readonly systemPrompt: string | undefined
  readonly historyMessages: number
  readonly contextTokens: number
  readonly outputChars: number
  readonly toolMs: number
  readonly toolMaxMs: number
  readonly approvalMs: number
  readonly retries: number
  readonly retryBaseMs: number
}
