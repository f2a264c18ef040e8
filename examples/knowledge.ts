/**
 * Answers from documents of your own, each with the passage beside it, and what a user wants remembered.
 *
 *   node --conditions=segno-source examples/knowledge.ts
 */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSegno, LOCAL_OWNER, type Actor } from 'segno'

const home = mkdtempSync(join(tmpdir(), 'segno-knowledge-'))

// A script in the place of a model. The label is that of the first passage it is told.
const model = {
  scenarios: [
    { when: 'vacation', turns: [{ text: 'You have 28 days [k1].' }] },
    { when: 'tea', turns: [{ calls: [{ name: 'remember', args: { content: 'Likes tea' } }] }, { text: 'Noted.' }] },
  ],
}

const segno = await createSegno({ home, model })
const ada = LOCAL_OWNER
const bob: Actor = { ...LOCAL_OWNER, id: 'bob' }

// From a draft to what answers are given from; nobody approves their own words.
const { documents } = segno
const { id } = await documents.create(ada, { title: 'Leave', content: '# Leave\n\n28 days of vacation a year.' })
await documents.submit(ada, id)
await documents.approve(bob, id)
await documents.publish(ada, id)
const [found] = await documents.search(ada, { query: 'days off' })
console.log(`found: ${found?.title}, ${found?.place}`)

const session = await segno.createSession({ title: 'Leave' })
const asked = await segno.streamRequest(session.id, 'How much vacation do I have?')
console.log((await asked.completion).content)
const messages = await segno.sessions.messages(ada, session.id)
const answer = messages.at(-1)?.eventIds.at(-1) ?? ''
const [source] = await segno.readings.citations(ada, session.id, answer)
console.log(`[${source?.label}] ${source?.title}, ${source?.place}: ${source?.text}`)
assert.equal(source?.documentId, id)

// Only who allows it has something remembered.
await segno.preferences.put(ada, { allowMemory: true })
await (
  await segno.streamRequest(session.id, 'I like tea.')
).completion
const memories = await segno.memories.list(ada)
console.log(`remembered: ${memories.items.map(({ content }) => content).join(', ')}`)
assert.equal(memories.items.length, 1)
assert.equal((await segno.memories.list(bob)).items.length, 0)
await segno.memories.forget(ada)

await segno.close()
rmSync(home, { recursive: true })
