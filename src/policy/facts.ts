import type { Estimate } from '../contract/policy.ts'
import type { EnableTools, RoundStarted } from '../contract/round-started.ts'
import type { JsonObject } from '../contract/message.ts'
import type { ApprovalNeed, FieldForm, Reach } from '../contract/tool.ts'
import type { EffectClass } from '../contract/outcome.ts'

/** Everything the gate looks at, because rules do no I/O and know no time. */
export interface Facts {
  readonly name: string
  /** the arguments as text, if they did not parse */
  readonly unparsed: string | undefined
  readonly args: JsonObject
  readonly tool: ToolFacts | undefined
  /** why there is no tool of this name, if that is known */
  readonly missing?: string | undefined
  readonly schemaError: string | undefined
  readonly signature: string
  readonly round: RoundFacts
  /** a person approved this call, with exactly these arguments and this definition of the tool */
  readonly approved: boolean
  /** a person approved this exact target for the session */
  readonly remembered: boolean
  /** a person approved exactly these arguments for the session */
  readonly rememberedExactly: boolean
  /** an identical call of this session has an unknown effect */
  readonly unknownEffect: boolean
  readonly estimate: Estimate
  /** of a call that requests addresses, after foreign text was read */
  readonly address: AddressFacts | undefined
  /** what is left in micro-dollars; undefined is unlimited */
  readonly budget: number | undefined
  /** the user did not allow what the tool does */
  readonly withoutConsent: boolean
  /** why the tool may not touch the folder it works in */
  readonly folderRefused: string | undefined
}

interface ToolFacts {
  /** a permission besides the one to use it */
  readonly needs?: string | undefined
  /** it notes something about the user */
  readonly remembers?: boolean | undefined
  readonly effect: EffectClass
  /** the tool's own rule for these arguments */
  readonly approval: ApprovalNeed
  readonly reach: readonly Reach[]
  /** the normalized values of the arguments that the tool declares as URLs, hosts, paths or commands */
  readonly fields: FieldFacts
}

export type FieldFacts = Readonly<Record<FieldForm, readonly string[]>>

/** Characters in the paths of addresses that nobody gave. */
export interface AddressFacts {
  /** of this call */
  readonly chars: number
  /** of all calls since the taint, including this one and those that run before it */
  readonly sum: number
  readonly most: number
}

interface RoundFacts extends Readonly<Pick<RoundStarted, 'protocol' | 'mode' | 'permissions'>> {
  readonly enableTools?: EnableTools | undefined
  readonly onlyTools?: readonly string[] | undefined
  readonly workspaceId: string
  /** the first source of foreign text in the conversation */
  readonly taintedBy: string | undefined
  readonly signatures: ReadonlySet<string>
  readonly executions: number
  readonly maxExecutions: number
  /** how much it has noted about the user */
  readonly remembered: number
  readonly maxRemembered: number
}
