import type { Json, JsonObject } from '../../src/contract/message.ts'
import type { Tool, ToolContext } from '../../src/contract/tool.ts'

/** A tool that does what a test wants and remembers each time it ran. */
export interface Probe extends Tool {
  readonly runs: { readonly args: JsonObject; readonly ctx: ToolContext }[]
}

/** An argument that is a text. */
export const text = (argument: Json | undefined): string => (typeof argument === 'string' ? argument : '')

const ANY_INPUT = { type: 'object' } as const

/** Pure, automatic and reaching nothing unless told otherwise; returns its name. */
export function probe(name: string, more: Partial<Tool> = {}): Probe {
  const runs: Probe['runs'] = []
  return {
    name,
    description: `does ${name}`,
    input: ANY_INPUT,
    effect: 'pure',
    approval: 'auto',
    reach: [],
    ...more,
    runs,
    run(args, ctx) {
      runs.push({ args, ctx })
      return more.run ? more.run(args, ctx) : `${name} done`
    },
  }
}
