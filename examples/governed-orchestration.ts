/**
 * Governed orchestration: layers of a prompt, a gate that is asked before anything happens, costs known beforehand,
 * requests that may use fewer tools, and hashes in the place of content.
 *
 *   node --conditions=segno-source examples/governed-orchestration.ts
 */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSegno, LOCAL_OWNER, type Tool } from 'segno'

const webSearch: Tool = {
  name: 'web_search',
  description: 'Searches the web.',
  input: {
    type: 'object',
    properties: { query: { type: 'string', maxLength: 200 }, count: { type: 'integer', minimum: 1, maximum: 10 } },
    required: ['query', 'count'],
  },
  effect: 'pure',
  // One cent a search and a tenth of one a result, in micro-dollars.
  cost: { fixed: 10_000, each: 1000, unit: 'record', field: 'count' },
  quota: { perHour: 100 },
  run: ({ query }) => `three results for ${query as string}`,
}
const sent: string[] = []
const sendEmail: Tool = {
  name: 'send_email',
  description: 'Sends an email on behalf of the user.',
  input: { type: 'object', properties: { to: { type: 'string', maxLength: 200 } }, required: ['to'] },
  approval: 'always',
  run: ({ to }) => sent.push(to as string),
}

const query = { query: 'weather in Kigali', count: 5 }
const model = {
  scenarios: [
    {
      when: 'weather',
      turns: [{ text: 'Searching. ', calls: [{ name: 'web_search', args: query }] }, { text: 'It is sunny.' }],
    },
  ],
}
const home = mkdtempSync(join(tmpdir(), 'segno-governed-'))
const systemPrompt = 'You are an assistant for East Africa.'
const segno = await createSegno({ home, model, systemPrompt, tools: [webSearch, sendEmail], builtInTools: false })
const { id } = await segno.createSession()

// Before anything happens: what would it cost, and may it be done? Nothing is called, asked or recorded.
const estimate = await segno.estimateCost(LOCAL_OWNER, 'web_search', query)
console.log(`a search costs ${estimate.estimatedCost} cents (${estimate.confidence})`)
assert.deepEqual(estimate, { cost: 15_000, estimatedCost: 1.5, estimatedLatencyMs: 30_000, confidence: 'exact' })
assert.equal((await segno.canInvokeTool(LOCAL_OWNER, 'web_search', query)).allowed, true)
const mail = await segno.canInvokeTool(LOCAL_OWNER, 'send_email', { to: 'ann@example.org' })
console.log(`send_email: ${mail.kind}, ${mail.reason}`)
assert.deepEqual([mail.allowed, mail.kind], [false, 'ask'])

// A daily budget is part of the same question.
await segno.budgets.set(LOCAL_OWNER, LOCAL_OWNER.id, { dailyToolCost: 14_000 })
assert.equal((await segno.canInvokeTool(LOCAL_OWNER, 'web_search', query)).code, 'BUDGET_EXCEEDED')
await segno.budgets.set(LOCAL_OWNER, LOCAL_OWNER.id, { dailyToolCost: 20_000 })

// The stream of a chat.
const stream = await (
  await segno.fetch(new Request(`http://localhost/api/chats/${id}/stream?message=How+is+the+weather`))
).text()
const frames = [...stream.matchAll(/^event: (.*)$/gm)].map(([, name]) => name)
for (const name of ['message.start', 'message.delta', 'tool.start', 'tool.complete', 'message.complete', 'done'])
  assert.ok(frames.includes(name), name)
assert.equal((await segno.budgets.get(LOCAL_OWNER)).left.tools, 5000)

// A request that may use no tool, or only some; naming one gives no right to it.
const request = await segno.streamRequest(id, 'The weather again?', {
  enableTools: false,
  limits: { maxIterations: 2 },
})
const { finishReason, calls } = await request.completion
assert.deepEqual([finishReason, calls.map(({ outcome }) => outcome)], ['complete', ['refused']])

// Layers in their order: a later one cannot change an earlier one.
const { layers } = await segno.readings.prompt(LOCAL_OWNER, id)
console.log(`layers: ${layers.map(({ name }) => name).join(', ')}`)
assert.ok(layers.findIndex(({ text }) => text.includes(systemPrompt)) > 0)

// The audit has a hash of what was asked for, never the words.
const { items } = await segno.audit.page(LOCAL_OWNER)
const call = items.find(({ action }) => action === 'orchestrator.tool.call')
assert.match(String(call?.metadata.inputHash), /^[0-9a-f]{64}$/)
assert.doesNotMatch(JSON.stringify(items), /Kigali/)
assert.deepEqual(sent, [])
await segno.close()
rmSync(home, { recursive: true })
