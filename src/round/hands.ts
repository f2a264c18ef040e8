import type { Policy } from '../contract/policy.ts'
import type { Pulse } from '../contract/pulse.ts'
import type { Instructions, UsableFolder, Workspace } from '../contract/workspace.ts'
import type { Clock } from '../lib/clock.ts'
import type { Redactor } from '../lib/redactor.ts'
import type { Breakers, Model } from '../model/index.ts'
import type { Left } from '../store/index.ts'
import type { ToolRegistry } from '../tool/index.ts'

/** What the loop acts with. Everything it needs of the world is in here, so that it knows no adapter. */
export interface Hands {
  readonly clock: Clock
  /** The tools there are in a workspace now; one that starts slowly is not waited for for long. */
  tools(tenant: string, workspaceId: string): Promise<ToolRegistry>
  /** what the operator says about calls */
  readonly policy: Policy
  /** what a user may still spend today; null is unlimited */
  left(tenant: string, userId: string): Promise<Left>
  /** takes the secrets of this installation out of a text */
  readonly redact: Redactor
  /** Throws a Problem for one that cannot be used. */
  model(key: string): Model
  readonly breakers: Breakers
  pulse(pulse: Pulse): void
  /** the workspace of a session: what the model is told there, by whom, and which models there are */
  workspace(tenant: string, id: string): Promise<PlaceOfWork>
  /** the folder its tools may touch, as things stand now; asked for each time anew */
  folder(tenant: string, id: string): Promise<UsableFolder>
  /** the bytes of files a prompt names, by their hash; one that is not there any more is left out */
  files(hashes: Iterable<string>): Promise<Map<string, Uint8Array>>
  readonly settings: Settings
}

export type PlaceOfWork = Instructions & Pick<Workspace, 'models'>

export interface Settings {
  readonly systemPrompt: string | undefined
  readonly historyMessages: number
  readonly contextTokens: number
  /** between rounds a snapshot is kept once there are so many events more than with the last one */
  readonly snapshotEvents: number
  readonly outputChars: number
  /** bytes of one file */
  readonly fileBytes: number
  /** files of one result */
  readonly resultFiles: number
  readonly toolMs: number
  readonly toolMaxMs: number
  /** how long a result that comes later may take: one that does not say, and any */
  readonly submittedMs: number
  readonly submittedMaxMs: number
  readonly approvalMs: number
  /** how long a running call waits for an answer */
  readonly questionMs: number
  /** characters of paths that go to known hosts unasked, after text from outside was read */
  readonly builtChars: number
  readonly retries: number
  readonly retryBaseMs: number
  readonly retryAfterMs: number
  /** what rounds have unless a client lowers them */
  readonly contentGapMs: number
  readonly modelCallMs: number
  readonly connectMs: number
  readonly answerChars: number
  /** bytes of all files one model call is given */
  readonly fileBytesAtOnce: number
}
