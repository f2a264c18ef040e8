import { appendFileSync } from 'node:fs'
import type { JsonObject } from '../../src/contract/message.ts'
import type { Tool, ToolContext } from '../../src/contract/tool.ts'
import { delay } from '../../src/lib/delay.ts'

type Paid = Pick<Tool, 'effect' | 'cost' | 'quota' | 'timeoutMs' | 'approval'> & {
  /** what it says it cost, of what was set aside */
  readonly charges?: (ctx: ToolContext) => void
  readonly takesMs: number
}

/** Every way to cost something. */
const TOOLS = {
  fixed: { effect: 'unsafe', cost: 300, takesMs: 120 },
  per_unit: {
    effect: 'keyed',
    cost: { fixed: 50, each: 2.5, unit: 'character', field: 'text' },
    charges: (ctx) => ctx.charge(60),
    takesMs: 20,
  },
  reading: { effect: 'pure', cost: 100, takesMs: 10 },
  thinking: {
    effect: 'unsafe',
    cost: () => ({ cost: 200, tokens: 120 }),
    charges: (ctx) => ctx.charge(80, 30),
    takesMs: 40,
  },
  asked: { effect: 'verifiable', cost: 200, approval: 'ask', takesMs: 10 },
  few_at_once: { effect: 'keyed', cost: 20, quota: { concurrent: 2 }, takesMs: 150 },
  few_an_hour: { effect: 'unsafe', cost: 10, quota: { perHour: 5 }, takesMs: 5 },
  too_slow: { effect: 'unsafe', cost: 150, timeoutMs: 40, takesMs: 5000 },
  failing: { effect: 'keyed', cost: 120, takesMs: 5 },
} as const satisfies Record<string, Paid>

export type ToolName = keyof typeof TOOLS
export const TOOL_NAMES = Object.keys(TOOLS) as ToolName[]
export const QUOTAS = { few_at_once: TOOLS.few_at_once.quota, few_an_hour: TOOLS.few_an_hour.quota }
/** Tools that may never run twice for one call. */
export const ONCE: readonly string[] = TOOL_NAMES.filter((name) => TOOLS[name].effect === 'unsafe')

/** Each writes down when it begins and when it ends, before anybody else can hear of it. */
export function paidTools(world: string, begins: (name: ToolName) => void): Tool[] {
  const note = (what: 'begins' | 'ends', name: string, { callId }: ToolContext): void =>
    appendFileSync(world, `${what} ${name} ${callId}\n`)
  return TOOL_NAMES.map((name) => {
    const { takesMs, charges, ...paid }: Paid = TOOLS[name]
    return {
      ...paid,
      name,
      description: `Does something ${name}.`,
      input: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
      approval: paid.approval ?? 'auto',
      reach: [],
      async run(args: JsonObject, ctx: ToolContext) {
        note('begins', name, ctx)
        begins(name)
        let isOver = false
        const end = (): void => {
          if (!isOver) note('ends', name, ctx)
          isOver = true
        }
        ctx.signal.addEventListener('abort', end)
        await delay(takesMs, ctx.signal)
        charges?.(ctx)
        end()
        if (name === 'failing' || ctx.signal.aborted) throw new Error('it did not work')
        return { did: args['text'] }
      },
      ...(paid.effect === 'verifiable' && { verify: async () => ({ happened: 'unknown' as const }) }),
    }
  })
}
