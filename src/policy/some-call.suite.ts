import type { JsonObject } from '../contract/message.ts'
import type { Facts, FieldFacts } from './facts.ts'

export interface Given extends Omit<Partial<Facts>, 'round' | 'tool' | 'estimate'> {
  readonly estimate?: Partial<Facts['estimate']>
  readonly round?: Partial<Facts['round']>
  readonly tool?: Partial<Omit<NonNullable<Facts['tool']>, 'fields'>> & { readonly fields?: Partial<FieldFacts> }
}

/** A call nobody has anything against, changed as a test wants it. */
export function someCall({ round, tool, estimate, ...more }: Given = {}): Facts {
  const { fields, ...said } = tool ?? {}
  return {
    name: 'send',
    unparsed: undefined,
    schemaError: undefined,
    signature: 'sig',
    approved: false,
    remembered: false,
    rememberedExactly: false,
    unknownEffect: false,
    args: {},
    budget: undefined,
    address: undefined,
    withoutConsent: false,
    folderRefused: undefined,
    ...more,
    estimate: { cost: 0, tokens: 0, latencyMs: 0, confidence: 'exact', ...estimate },
    tool: {
      effect: 'unsafe',
      approval: 'auto',
      reach: [],
      ...said,
      fields: { url: [], host: [], path: [], command: [], ...fields },
    },
    round: {
      protocol: 'unified',
      mode: 'act',
      permissions: ['*'],
      workspaceId: 'system',
      taintedBy: undefined,
      signatures: new Set(),
      executions: 0,
      maxExecutions: 3,
      remembered: 0,
      maxRemembered: 5,
      ...round,
    },
  }
}

/** A call whose tool says which arguments are what. */
export const callWith = (fields: Partial<FieldFacts>): Facts => someCall({ tool: { fields } })
/** A call whose tool says nothing of its arguments. */
export const callOf = (args: JsonObject): Facts => someCall({ args })
