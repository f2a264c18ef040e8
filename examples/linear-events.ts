/**
 * Linear events: a log of the older order, in which results stand before the message that asked for them, is taken
 * over, forked and gone on with. What is stored is message, call, result, so that any provider takes it.
 *
 *   node --conditions=segno-source examples/linear-events.ts
 */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSegno, LOCAL_OWNER, type StoredEvent, type Tool } from 'segno'

const old = [
  { id: '1', type: 'message.user', payload: { content: 'Which files are there?' } },
  { id: '2', type: 'tool.call', payload: { toolCallId: 't1', name: 'list', arguments: { path: '.' } } },
  { id: '3', type: 'tool.result', payload: { toolCallId: 't1', content: 'a.txt', isError: false } },
  {
    id: '4',
    type: 'message.assistant',
    payload: {
      content: [
        { type: 'text', text: 'Let me look.' },
        { type: 'tool_use', id: 't1', name: 'list', input: { path: '.' } },
        { type: 'text', text: 'There is a.txt.' },
      ],
      stopReason: 'end_turn',
      tokenUsage: { inputTokens: 12, outputTokens: 7 },
    },
  },
  { id: '5', type: 'stream.turn_end', payload: {} },
]

let runs = 0
const list: Tool = {
  name: 'list',
  description: 'Lists files.',
  input: { type: 'object', properties: { path: { type: 'string', maxLength: 100 } } },
  effect: 'pure',
  own: true,
  run() {
    runs += 1
    return 'a.txt, b.txt'
  },
}
const model = {
  scenarios: [
    {
      when: 'and now',
      turns: [{ text: 'I will see.', calls: [{ name: 'list', args: { path: '.' } }] }, { text: 'Also b.txt.' }],
    },
  ],
}

const home = mkdtempSync(join(tmpdir(), 'segno-linear-'))
const segno = await createSegno({ home, model, tools: [list], builtInTools: false })
const lines = old.map((event) => JSON.stringify(event)).join('\n')
const { id } = await segno.sessions.import(LOCAL_OWNER, lines, { title: 'Where we were' })
assert.equal(runs, 0, 'nothing of it is executed')

const KINDS = ['message.user', 'message.assistant', 'tool.call', 'tool.result']
const order = (events: readonly StoredEvent[]) => events.map(({ type }) => type).filter((type) => KINDS.includes(type))
const stored = order(await segno.sessions.events(LOCAL_OWNER, id))
console.log(`stored: ${stored.join(' → ')}`)
assert.deepEqual(stored, ['message.user', 'message.assistant', 'tool.call', 'tool.result', 'message.assistant'])

// As of any event, and forked from any: a call is never without its result.
const events = await segno.sessions.events(LOCAL_OWNER, id)
const said = events.find(({ type }) => type === 'message.assistant')
const fork = await segno.sessions.fork(LOCAL_OWNER, id, said?.seq ?? 0)
const before = await segno.sessions.messages(LOCAL_OWNER, fork.id)
assert.deepEqual(
  before.flatMap(({ content }) => content.map(({ type }) => type)),
  ['text', 'text', 'tool_use', 'tool_result'],
)

// The fork can go on at once.
const request = await segno.streamRequest(fork.id, 'And now?')
assert.equal((await request.completion).content, 'Also b.txt.')
const messages = await segno.sessions.messages(LOCAL_OWNER, fork.id)
for (const { role, content } of messages) console.log(`${role}: ${content.map(({ type }) => type).join(', ')}`)
const result = messages
  .flatMap(({ role, content }) => (role === 'user' ? content : []))
  .findLast((part) => part.type === 'tool_result')
assert.deepEqual([result?.content, result?.is_error, typeof result?.tool_use_id], ['a.txt, b.txt', false, 'string'])

// A bad line is named, and then nothing is taken.
const bad = `${lines}\n{"type":"tool.result","payload":{"toolCallId":"t9","content":"?"}}`
await assert.rejects(segno.sessions.import(LOCAL_OWNER, bad), /^Problem: Line 6: payload\.toolCallId names no call/)
await segno.close()
rmSync(home, { recursive: true })
