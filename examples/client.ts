/**
 * A client: sends a message, allows what it is asked, and follows the round to its end. In a browser it is the same.
 *
 *   node --conditions=segno-source examples/client.ts
 */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSegno } from 'segno'
import { createClient, type Frame } from 'segno/client'

const home = mkdtempSync(join(tmpdir(), 'segno-example-'))
const segno = await createSegno({ home, env: {}, model: 'scripted' })
// Elsewhere: createClient({ baseUrl: 'http://127.0.0.1:4747', key: 'segno_…' })
const client = createClient({
  baseUrl: 'http://localhost',
  fetch: (url, init) => segno.fetch(new Request(url, init)),
})

const { id } = await client.createSession({ title: 'From a client' })
const { requestId } = await client.send(id, { content: 'What is 17 * 23?' }, crypto.randomUUID())
const done = new AbortController()
let text = ''

async function take(frame: Frame): Promise<void> {
  if (frame.kind === 'delta' && frame.delta.kind === 'text') text = text.slice(0, frame.delta.offset) + frame.delta.text
  if (frame.kind !== 'event' || frame.event.requestId !== requestId) return
  console.log(frame.event.seq, frame.event.type)
  if (frame.event.type === 'approval.requested')
    await client.decide(frame.event.data.approvalId, { decision: 'approve' })
  if (frame.event.type === 'turn.started') text = ''
  if (frame.event.type === 'round.ended') done.abort()
}

for await (const frames of client.follow(id, { signal: done.signal })) for (const frame of frames) await take(frame)
console.log(text)
assert.match(text, /391/)
assert.equal((await client.round(requestId)).finishReason, 'complete')

await segno.close()
rmSync(home, { recursive: true, force: true })
