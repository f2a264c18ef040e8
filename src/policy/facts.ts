import type { JsonObject } from '../contract/message.ts'
import type { ApprovalNeed, Reach } from '../contract/tool.ts'
import type { EffectClass, Mode, Protocol } from '../contract/outcome.ts'

/** Everything the gate may look at, gathered for it: rules do no I/O and know no time. */
export interface Facts {
  readonly name: string
  /** the arguments as they came, when they did not parse */
  readonly unparsed: string | undefined
  readonly args: JsonObject
  readonly tool: ToolFacts | undefined
  /** what the schema found wrong */
  readonly schemaError: string | undefined
  readonly signature: string
  readonly round: RoundFacts
  /** a person approved this call, with exactly these arguments and this definition of the tool */
  readonly approved: boolean
  /** a person approved this exact target for the session */
  readonly remembered: boolean
  /** a person approved exactly these arguments for the session */
  readonly rememberedExactly: boolean
  /** an identical call of this session has an effect nobody knows */
  readonly unknownEffect: boolean
  readonly estimate: Estimate
  /** of a call that asks for addresses, after text from outside was read */
  readonly address: AddressFacts | undefined
  /** what may still be spent, in micro-dollars; undefined is unlimited */
  readonly budget: number | undefined
  /** why the folder of the workspace may not be touched, where the tool works in it and may not */
  readonly folderRefused: string | undefined
}

export interface ToolFacts {
  readonly effect: EffectClass
  /** what the tool itself says of these arguments */
  readonly approval: ApprovalNeed
  readonly reach: readonly Reach[]
  /** the values of arguments the tool declares to be such, in their normal form */
  readonly fields: FieldFacts
}

export interface FieldFacts {
  readonly urls: readonly string[]
  readonly hosts: readonly string[]
  readonly paths: readonly string[]
  readonly commands: readonly string[]
}

/** Characters in the paths of addresses that neither the user nor a fetched page named. */
export interface AddressFacts {
  /** of this call; none where all of its addresses were named */
  readonly chars: number
  /** of all calls since the taint, with this one and those that run before it */
  readonly sum: number
  readonly most: number
}

export interface RoundFacts {
  readonly protocol: Protocol
  readonly mode: Mode
  readonly permissions: readonly string[]
  readonly workspaceId: string
  /** what brought text from outside into the conversation, if anything did */
  readonly taintedBy: string | undefined
  readonly signatures: ReadonlySet<string>
  readonly executions: number
  readonly maxExecutions: number
}

/** Cost in micro-dollars. `unknown` confidence asks a person; `failed` refuses; with a budget neither it nor `unpriced` will do. */
export interface Estimate {
  readonly cost: number
  /** of a model that the call asks */
  readonly tokens: number
  /** how long it may take at most, in milliseconds */
  readonly latencyMs: number
  readonly confidence: 'exact' | 'estimate' | 'unknown' | 'unpriced' | 'failed'
}
