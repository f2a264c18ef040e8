/**
 * Segno inside your own program: a session, an answer as it comes, and a conversation that is still there afterwards.
 *
 *   node --conditions=segno-source examples/embed.ts
 */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSegno, LOCAL_OWNER } from 'segno'

const home = mkdtempSync(join(tmpdir(), 'segno-embed-'))

// A script in the place of a model: the example needs no key and always says the same.
const model = {
  scenarios: [
    {
      when: 'what is 6 \\* 7',
      turns: [
        { text: 'Let me work that out.', calls: [{ name: 'calculator', args: { expression: '6 * 7' } }] },
        { text: 'It is 42.', deltaChars: 3, delayMs: 30 },
      ],
    },
  ],
}

const segno = await createSegno({ home, model })
const session = await segno.createSession({ title: 'Arithmetic' })

const request = await segno.streamRequest(session.id, 'What is 6 * 7?')
let shown = ''
for await (const turn of request.turns) {
  const line = `turn ${turn.index} ${turn.status.padEnd(9)} ${turn.content}`
  if (line !== shown) console.log(line)
  shown = line
}
const answer = await request.completion
console.log(`finished: ${answer.finishReason}, ${answer.calls.length} tool call`)
assert.equal(answer.content, 'It is 42.')
assert.equal(answer.finishReason, 'complete')
assert.equal(answer.calls[0]?.outcome, 'ok')
await segno.close()

// Everything is in one file in `home`. Opening it again is all it takes to go on.
const again = await createSegno({ home, model })
const messages = await again.sessions.messages(LOCAL_OWNER, session.id)
console.log(`after a restart the conversation has ${messages.length} messages:`)
for (const { role, content } of messages) console.log(`  ${role}: ${content.map((part) => part.type).join(', ')}`)
assert.deepEqual(
  messages.map(({ role }) => role),
  ['user', 'assistant', 'user', 'assistant'],
)
await again.close()
rmSync(home, { recursive: true })
