import { request } from 'node:http'
import type { JsonObject } from '../../src/contract/message.ts'
import type { EffectClass } from '../../src/contract/outcome.ts'
import { answersLater, type Tool, type ToolContext } from '../../src/contract/tool.ts'
import { delay } from '../../src/lib/delay.ts'
import type { Asked } from './ledger.ts'
import type { Hit } from './points.ts'

export const EFFECTS: readonly EffectClass[] = ['pure', 'keyed', 'verifiable', 'unsafe']
export const toolName = (effect: EffectClass): string => `${effect}_tool`

export interface World {
  readonly home: string
  readonly ledger: string
  readonly hit: Hit
  /** Called inside a running tool, before its effect. */
  readonly inside: (ctx: ToolContext) => Promise<void>
}

/** One tool of each class. What it does is a request to the ledger; whether it asks first stands in its arguments. */
export function effectTools(world: World): Tool[] {
  return EFFECTS.map((effect) => ({
    name: toolName(effect),
    description: `Does something ${effect}.`,
    input: {
      type: 'object',
      properties: {
        item: { type: 'string' },
        ask: { type: 'boolean' },
        question: { type: 'boolean' },
        later: { type: 'boolean' },
        ms: { type: 'number' },
      },
      required: ['item'],
      additionalProperties: false,
    },
    effect,
    reach: [],
    approval: (args) => (args['ask'] === true ? 'ask' : 'auto'),
    async run(args, ctx) {
      await world.inside(ctx)
      if (args['question'] === true) await ctx.ask({ message: 'Shall I go on?' })
      await delay(msOf(args), ctx.signal)
      if (ctx.signal.aborted) throw new Error('stopped before anything happened')
      world.hit('in tool, before its effect')
      await post(world, '/effect', asked(world, effect, args, ctx), () => world.hit('in tool, during its effect'))
      world.hit('in tool, after its effect')
      await delay(msOf(args), ctx.signal)
      return args['later'] === true ? answersLater(itemOf(args)) : `did ${itemOf(args)}`
    },
    ...(effect === 'verifiable' && {
      async verify(args: JsonObject, ctx: ToolContext) {
        world.hit('in verify')
        const { happened } = await post(world, '/look-up', asked(world, effect, args, ctx))
        const output = args['later'] === true ? answersLater(itemOf(args)) : `had done ${itemOf(args)}`
        return happened ? { happened, output } : { happened }
      },
    }),
  }))
}

const itemOf = (args: JsonObject): string => (typeof args['item'] === 'string' ? args['item'] : 'nothing')
const msOf = (args: JsonObject): number => (typeof args['ms'] === 'number' ? args['ms'] : 0)

function asked({ home }: World, effect: EffectClass, args: JsonObject, ctx: ToolContext): Asked {
  const { sessionId, requestId, callId, idempotencyKey } = ctx
  return { home, sessionId, requestId, callId, key: idempotencyKey, effect, args }
}

export function post(
  { ledger }: { readonly ledger: string },
  path: string,
  body: object,
  sent: () => void = () => {},
): Promise<{ happened: boolean }> {
  return new Promise((resolve, reject) => {
    const text = JSON.stringify(body)
    const req = request(
      `${ledger}${path}`,
      { method: 'POST', agent: false, headers: { 'content-length': Buffer.byteLength(text) } },
      (res) => {
        res.setEncoding('utf8')
        let answer = ''
        res.on('data', (piece: string) => (answer += piece))
        res.on('end', () => resolve(JSON.parse(answer) as { happened: boolean }))
        res.on('error', reject)
      },
    )
    req.on('error', reject)
    req.on('finish', sent)
    req.end(text)
  })
}
