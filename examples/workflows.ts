/**
 * A workflow outside that takes its time: it answers 202, and calls back when it is done, signed. The model asks for
 * it, a person agrees, the round rests meanwhile, and the answer tells what came of it.
 *
 *   node --conditions=segno-source examples/workflows.ts
 */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { createSegno, LOCAL_OWNER } from 'segno'

/** The other side: it takes each key once. */
const orders = new Map<string, { readonly headers: IncomingHttpHeaders; readonly input: unknown }>()
const engine = createServer((request, response) => {
  void json(request).then((input) => {
    orders.set(String(request.headers['idempotency-key']), { headers: request.headers, input })
    response.writeHead(202).end()
  })
})
await new Promise<void>((listening) => engine.listen(0, '127.0.0.1', listening))
const origin = `http://127.0.0.1:${(engine.address() as AddressInfo).port}`

const model = {
  scenarios: [
    {
      when: 'invoice',
      turns: [
        { text: 'I will have it written.', calls: [{ name: 'workflow_invoice', args: { customer: 'Ann' } }] },
        { text: 'Ann has her invoice.' },
      ],
    },
  ],
}
const home = mkdtempSync(join(tmpdir(), 'segno-workflows-'))
const env = { SEGNO_WORKFLOW_ORIGINS: origin, SEGNO_PUBLIC_URL: 'http://127.0.0.1:4747' }
const segno = await createSegno({ home, model, env, builtInTools: false })

const { secret = '', id: workflowId } = await segno.workflows.create(LOCAL_OWNER, {
  name: 'invoice',
  description: 'Writes an invoice. That takes a while.',
  engine: 'http',
  target: { url: `${origin}/invoices` },
  input: { type: 'object', properties: { customer: { type: 'string', maxLength: 200 } }, required: ['customer'] },
  output: { type: 'object', properties: { number: { type: 'integer' } }, required: ['number'] },
})
console.log(`registered the workflow; its secret begins with ${secret.slice(0, 6)}`)

/** What the other side does when the invoice is written. This Segno has no server, so its `fetch` is called. */
async function callBack(url: string, body: string): Promise<Response> {
  const [id, timestamp] = ['invoice-1', String(Math.floor(Date.now() / 1000))]
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` }
  return segno.fetch(
    new Request(url, { method: 'POST', body, headers: { ...headers, 'content-type': 'application/json' } }),
  )
}

const session = await segno.createSession()
const { requestId } = await segno.streamRequest(session.id, 'Please write the invoice of Ann.')
for await (const frame of segno.follow(session.id)) {
  if (frame.kind !== 'event') continue
  if (frame.event.type === 'approval.requested') {
    const { approvalId, tool } = frame.event.data
    console.log(`somebody has to agree to ${tool}`)
    await segno.rounds.decide(LOCAL_OWNER, approvalId, { decision: 'approve' })
  }
  if (frame.event.type === 'round.waiting' && frame.event.data.for === 'workflow') break
}
console.log('the round waits for the workflow')

const [order] = orders.values()
assert.ok(order)
assert.deepEqual(order.input, { customer: 'Ann' })
const url = String(order.headers['segno-callback-url'])
const done = JSON.stringify({ status: 'success', output: { number: 2041 } })
assert.equal((await callBack(url, done)).status, 200)
// Whoever is not sure whether it was heard calls again.
assert.equal((await callBack(url, done)).status, 200)

const { content, calls } = await segno.completion(session.id, requestId)
console.log(content)
assert.equal(content, 'Ann has her invoice.')
assert.deepEqual(
  calls.map(({ outcome, effect }) => [outcome, effect]),
  [['ok', 'done']],
)
const { items } = await segno.invocations.list(LOCAL_OWNER, { automationId: workflowId })
assert.deepEqual(
  items.map(({ status, output }) => [status, output]),
  [['success', { number: 2041 }]],
)
assert.equal(orders.size, 1)
await segno.close()
engine.close()
rmSync(home, { recursive: true })
