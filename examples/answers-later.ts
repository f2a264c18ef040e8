/**
 * A tool that answers later: a print shop takes the job and calls back when it is done. The round rests meanwhile, and
 * it does not matter that Segno is closed and opened again in between.
 *
 *   node --conditions=segno-source examples/answers-later.ts
 */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { answersLater, createSegno, LOCAL_OWNER, type Tool } from 'segno'

/** What the shop has to do, and whom it calls back. It knows a key it has seen before. */
const jobs = new Map<string, { readonly sessionId: string; readonly callId: string }>()

const printBook: Tool = {
  name: 'print_book',
  description: 'Has a book printed. That takes days.',
  input: { type: 'object', properties: { title: { type: 'string', maxLength: 200 } }, required: ['title'] },
  effect: 'keyed',
  approval: 'auto',
  run(_args, { idempotencyKey, sessionId, callId }) {
    jobs.set(idempotencyKey, { sessionId, callId })
    return answersLater(idempotencyKey, { withinMs: 7 * 86_400_000 })
  },
}

const model = {
  scenarios: [
    {
      when: 'print',
      turns: [
        { text: 'I will order it.', calls: [{ name: 'print_book', args: { title: 'Dal segno' } }] },
        { text: 'Your book is printed.' },
      ],
    },
  ],
}

const home = mkdtempSync(join(tmpdir(), 'segno-later-'))
const open = () => createSegno({ home, model, tools: [printBook] })

let segno = await open()
const session = await segno.createSession()
const { requestId } = await segno.streamRequest(session.id, 'Please print my book.')
for await (const frame of segno.follow(session.id)) {
  if (frame.kind !== 'event' || frame.event.type !== 'round.waiting') continue
  console.log(`the round waits for a ${frame.event.data.for}`)
  assert.equal(frame.event.data.for, 'result')
  break
}
await segno.close()
console.log('Segno is closed; the shop prints')

segno = await open()
const [job] = jobs.values()
assert.ok(job)
const answer = { output: { copies: 1, pages: 96 } }
console.log(`the shop calls back: ${await segno.rounds.answerCall(LOCAL_OWNER, job, answer)}`)
// A shop that is not sure whether it was heard calls again.
assert.equal(await segno.rounds.answerCall(LOCAL_OWNER, job, answer), 'taken')
const { content, calls } = await segno.completion(session.id, requestId)
console.log(content)
assert.equal(content, 'Your book is printed.')
assert.deepEqual(
  calls.map(({ outcome, effect }) => [outcome, effect]),
  [['ok', 'done']],
)
assert.equal(jobs.size, 1)
await segno.close()
rmSync(home, { recursive: true })
