/**
 * A channel of your own: wherever messages come from and answers go, this is all Segno needs to know of it. Here it is
 * a chat service that delivers some messages twice, as such services do.
 *
 *   node --conditions=segno-source examples/custom-channel.ts
 */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSegno, LOCAL_OWNER, type Channel, type Tool } from 'segno'

let screen = ''
const show = (text: string): void => {
  screen += text
  process.stdout.write(text)
}

const chat: Channel = {
  name: 'chat',
  streamDelta: show,
  streamComplete: () => show('\n'),
  onToolCallStart: (tool) => show(`\n[${tool} …`),
  onToolCallResult: (_tool, success) => show(success ? ' done]\n' : ' not done]\n'),
  // Whoever sits at the other end is asked here. This one may have reminders, but no more than one.
  requestApproval: async ({ target }) => target.includes('milk'),
}

const reminders: string[] = []
const remind: Tool = {
  name: 'remind',
  description: 'Sets a reminder.',
  input: { type: 'object', properties: { what: { type: 'string' } }, required: ['what'] },
  run({ what }) {
    reminders.push(what as string)
    return 'set'
  },
}

const model = {
  scenarios: ['milk', 'bread'].map((what) => ({
    when: what,
    turns: [{ text: 'One moment.', calls: [{ name: 'remind', args: { what } }] }, { text: `That was about ${what}.` }],
  })),
}

const home = mkdtempSync(join(tmpdir(), 'segno-channel-'))
const segno = await createSegno({ home, model, tools: [remind] })
const deliver = (id: string, content: string) =>
  segno.handleMessage({ id, userId: 'ada', content, timestamp: new Date() }, chat)

const first = await deliver('m1', 'Remind me of the milk.')
const repeated = await deliver('m1', 'Remind me of the milk.')
assert.equal(repeated.requestId, first.requestId, 'a message that comes again is the same round')
const second = await deliver('m2', 'Remind me of the bread.')
assert.equal(second.calls[0]?.outcome, 'denied')

assert.deepEqual(reminders, ['milk'])
assert.match(screen, /\[remind … done\]\nThat was about milk\./)
assert.match(screen, /\[remind … not done\]\nThat was about bread\./)

// Ada's messages of this channel are one conversation, found by its alias.
const session = await segno.sessions.byAlias(LOCAL_OWNER, 'chat:ada')
assert.equal(session?.id, first.sessionId)
await segno.close()
rmSync(home, { recursive: true })
