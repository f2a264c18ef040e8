/**
 * The loop from message to answer through a channel: a golden path with one tool, a call that a person refuses, the
 * events it emits, and an audit that has everything but content.
 *
 *   node --conditions=segno-source examples/orchestrator.ts
 */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSegno, LOCAL_OWNER, type Channel, type OrchestratorEvent, type Tool } from 'segno'
import { z } from 'zod'

// Tools say what they take with Zod; the model is shown JSON Schema, and the gate checks with the same.
const fetchPage: Tool = {
  name: 'web_fetch',
  description: 'Fetches a page.',
  input: z.object({ url: z.url().max(200) }),
  effect: 'pure',
  run: () => 'Lodash: a utility library, version 4.17.21.',
}
const deleteFiles: Tool = {
  name: 'delete_files',
  description: 'Deletes files.',
  input: z.object({ path: z.string().max(200) }),
  approval: 'always',
  run: () => assert.fail('nobody allowed that'),
}

const model = {
  scenarios: [
    {
      when: 'npm page for lodash',
      turns: [
        { text: 'Looking. ', calls: [{ name: 'web_fetch', args: { url: 'https://www.npmjs.com/package/lodash' } }] },
        { text: 'It is a utility library.' },
      ],
    },
    {
      when: 'delete',
      turns: [{ calls: [{ name: 'delete_files', args: { path: '/tmp/test' } }] }, { text: 'Then I will not.' }],
    },
  ],
}

const deltas: string[] = []
const calls: [string, boolean][] = []
const channel: Channel = {
  name: 'chat',
  streamDelta: (text) => void deltas.push(text),
  streamComplete: () => console.log(deltas.splice(0).join('')),
  requestApproval: async () => false,
  onToolCallStart: (name) => console.log(`${name} …`),
  onToolCallResult: (name, success) => void calls.push([name, success]),
}

const home = mkdtempSync(join(tmpdir(), 'segno-orchestrator-'))
const events: OrchestratorEvent['type'][] = []
const segno = await createSegno({
  home,
  model,
  tools: [fetchPage, deleteFiles],
  builtInTools: false,
  onEvent: ({ type }) => void events.push(type),
})
const say = (id: string, content: string) =>
  segno.handleMessage({ id, userId: 'user-1', content, timestamp: new Date() }, channel)

const { sessionId } = await say('1', 'Fetch the npm page for lodash')
assert.deepEqual(events, ['message_start', 'tool_call', 'tool_result', 'message_complete'])
await say('2', 'delete the files')
assert.deepEqual(calls, [
  ['web_fetch', true],
  ['delete_files', false],
])

// The history: what was said, every result, and the answer as the model completed it. No one writes it but the loop.
const session = await segno.sessions.byAlias(LOCAL_OWNER, 'chat:user-1')
assert.equal(session?.id, sessionId)
const history = await segno.sessions.messages(LOCAL_OWNER, sessionId)
const parts = history.map(({ role, content }) => `${role}: ${content.map(({ type }) => type).join(', ')}`)
assert.deepEqual(parts.slice(0, 4), ['user: text', 'assistant: text, tool_use', 'user: tool_result', 'assistant: text'])

const { items } = await segno.audit.page(LOCAL_OWNER)
const actions = new Set(items.map(({ action }) => action))
for (const action of ['message_received', 'tool_executed', 'tool_denied', 'message_complete'] as const)
  assert.ok(actions.has(action), action)
assert.doesNotMatch(JSON.stringify(items), /utility library|npmjs/)
console.log(`audited without content: ${[...actions].join(', ')}`)

// A fresh context; the log stays.
await segno.sessions.clear(LOCAL_OWNER, sessionId)
assert.deepEqual(await segno.sessions.messages(LOCAL_OWNER, sessionId), [])
await segno.close()
rmSync(home, { recursive: true })
