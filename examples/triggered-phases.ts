/**
 * The triggered-phase protocol: one tool a phase, no call twice, at most three executions, and every frame says where
 * in the round it is.
 *
 *   node --conditions=segno-source examples/triggered-phases.ts
 */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSegno, type Tool } from 'segno'

const file = (name: string, run: Tool['run']): Tool => ({
  name,
  description: name,
  input: { type: 'object', properties: { path: { type: 'string', maxLength: 100 } } },
  effect: 'pure',
  normalise: { path: 'path' },
  run,
})
const tools = [file('list_files', () => 'roadmap.md'), file('read_file', ({ path }) => `# ${path as string}`)]

// A model that loops: it lists, lists again, reads, reads more than it may, and answers when it has to.
const call = (name: string, path: string) => ({ calls: [{ name, args: { path } }] })
const model = {
  scenarios: [
    {
      when: 'summarize',
      turns: [
        { text: 'Let me look. ', ...call('list_files', 'docs') },
        call('list_files', './docs/'),
        call('read_file', 'docs/roadmap.md'),
        call('read_file', 'docs/notes.md'),
        { text: 'The roadmap has one heading.' },
      ],
    },
  ],
}

const home = mkdtempSync(join(tmpdir(), 'segno-phases-'))
const segno = await createSegno({ home, model, tools, builtInTools: false, env: { TWO_STAGE_ENABLED: 'true' } })
const post = (path: string, body: object) =>
  segno.fetch(
    new Request(`http://localhost${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  )

interface Frame {
  readonly type?: string
  readonly phase: 'tool_phase' | 'action_phase' | 'complete'
  readonly requestId: string
  readonly projectId: string
  readonly phaseIndex: number
  readonly cycleIndex: number
}
const stream = await (await post('/api/chat/messages_two_stage', { content: 'Please summarize the roadmap.' })).text()
const frames = [...stream.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data) as Frame)

const phases = [...new Set(frames.map(({ phaseIndex, cycleIndex, phase }) => `${phaseIndex} ${cycleIndex} ${phase}`))]
for (const phase of phases) console.log(phase)
assert.deepEqual(phases, [
  '1 1 tool_phase',
  '2 2 action_phase',
  '3 2 tool_phase',
  '4 3 action_phase',
  '5 3 tool_phase',
  '6 3 action_phase',
  '7 3 complete',
])
assert.ok(frames.every(({ requestId, projectId }) => requestId === frames[0]?.requestId && projectId === 'system'))

// What the chat does not show is in the trace: also the call that was a duplicate, however it was spelled.
const { requestId } = frames[0] as Frame
const trace = await (await segno.fetch(new Request(`http://localhost/api/rounds/${requestId}/trace`))).text()
for (const entry of [
  'tool_registration',
  'tool_call',
  'tool_result',
  'duplicate_tool_call',
  'orchestration_phase_start',
  'orchestration_phase_end',
])
  assert.match(trace, new RegExp(entry))
assert.match(stream, /Tool budget reached; answer using existing results\./)
console.log('a duplicate was refused, and the budget forced the answer')

// A round that has ended cannot be resumed; a paused one goes on from the phase that comes next, and no other.
const resumed = await post('/api/chat/messages_two_stage/resume', { requestId, resumeFromPhaseIndex: 2 })
assert.equal(resumed.status, 409)
await segno.close()
rmSync(home, { recursive: true })
