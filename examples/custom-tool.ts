/**
 * A tool of your own: its input is a Zod schema, the model is shown it as JSON Schema, and nothing that does not fit
 * it ever reaches your code. Because ordering has an effect, a person is asked first.
 *
 *   node --conditions=segno-source examples/custom-tool.ts
 */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSegno, LOCAL_OWNER, type Tool } from 'segno'
import { z } from 'zod'

const orders: string[] = []

const Order = z.object({
  pizza: z.enum(['margherita', 'marinara']),
  count: z.int().min(1).max(10).default(1),
})

const inWords = ({ pizza, count }: z.infer<typeof Order>): string => `${count} × ${pizza}`

const orderPizza: Tool = {
  name: 'order_pizza',
  description: 'Orders pizza. It is delivered and has to be paid for.',
  input: Order,
  // The shop knows a key it has seen before, so after a crash the call may be made again with the same one.
  effect: 'keyed',
  approval: 'ask',
  target: (args) => inWords(Order.parse(args)),
  run(args, { idempotencyKey }) {
    const { pizza, count } = Order.parse(args)
    orders.push(inWords({ pizza, count }))
    return { ordered: pizza, count, receipt: idempotencyKey }
  },
}

const model = {
  scenarios: [
    {
      when: 'pizza',
      turns: [
        { text: 'I will order.', calls: [{ name: 'order_pizza', args: { pizza: 'hawaii' } }] },
        { text: 'They do not have that one.', calls: [{ name: 'order_pizza', args: { pizza: 'marinara' } }] },
        { text: 'One marinara is on its way.' },
      ],
    },
  ],
}

const home = mkdtempSync(join(tmpdir(), 'segno-tool-'))
const segno = await createSegno({ home, model, tools: [orderPizza] })
const session = await segno.createSession()
const request = await segno.streamRequest(session.id, 'I would like a pizza.')

// Follow the session until it asks, then decide.
for await (const frame of segno.follow(session.id, { requestId: request.requestId })) {
  if (frame.kind !== 'event' || frame.event.type !== 'approval.requested') continue
  const { approvalId, tool, target } = frame.event.data
  console.log(`${tool} asks: ${target}?  yes`)
  assert.equal(target, '1 × marinara')
  await segno.rounds.decide(LOCAL_OWNER, approvalId, { decision: 'approve' })
}

const answer = await request.completion
for (const call of answer.calls) console.log(`${call.name}: ${call.outcome}`)
console.log(answer.content)
assert.deepEqual(
  answer.calls.map(({ outcome }) => outcome),
  ['refused', 'ok'],
)
assert.deepEqual(orders, ['1 × marinara'])
await segno.close()
rmSync(home, { recursive: true })
