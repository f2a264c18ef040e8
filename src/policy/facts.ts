import type { ApprovalNeed } from '../contract/tool.ts'
import type { EffectClass, Mode, Protocol } from '../contract/outcome.ts'

/** Everything the gate may look at, gathered for it: rules do no I/O and know no time. */
export interface Facts {
  readonly name: string
  /** the arguments as they came, when they did not parse */
  readonly unparsed: string | undefined
  readonly tool: ToolFacts | undefined
  /** what the schema found wrong */
  readonly schemaError: string | undefined
  readonly signature: string
  readonly round: RoundFacts
  /** a person approved this call, with exactly these arguments and this definition of the tool */
  readonly approved: boolean
  /** a person approved this exact target for the session */
  readonly remembered: boolean
  /** an identical call of this session has an effect nobody knows */
  readonly unknownEffect: boolean
  readonly estimate: Estimate
  /** what may still be spent, in micro-dollars; undefined is unlimited */
  readonly budget: number | undefined
}

export interface ToolFacts {
  readonly effect: EffectClass
  readonly approval: ApprovalNeed
}

export interface RoundFacts {
  readonly protocol: Protocol
  readonly mode: Mode
  readonly permissions: readonly string[]
  readonly signatures: ReadonlySet<string>
  readonly executions: number
  readonly maxExecutions: number
}

/** Cost in micro-dollars. `unknown` confidence asks a person; `failed` refuses. */
export interface Estimate {
  readonly cost: number
  readonly confidence: 'exact' | 'estimate' | 'unknown' | 'failed'
}
