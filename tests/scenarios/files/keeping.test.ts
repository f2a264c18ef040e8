import { expect, test } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import { said, segnoUnderTest } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'
import { writtenIn } from '../../support/written-in.ts'
import { serverChild } from '../../server/support/server-child.ts'
import { ask, newSession } from '../../server/support/ask.ts'
import { eventually } from '../library/support/eventually.ts'
import { gateTool } from '../library/support/gate-tool.ts'
import { tempHome } from '../library/support/open-segno.ts'
import { problemOf } from '../library/support/problem-of.ts'
import { person } from '../library/support/people.ts'
import { bytesOf, readFile } from './support/read-file.ts'
import { picture, textFile } from './support/sample-files.ts'

const busy = {
  scenarios: [{ when: '^busy', turns: [{ calls: [{ name: 'hold' }] }, { text: 'There.' }] }],
  otherwise: { text: 'I see.' },
}

verifies('REL-1', 'a file is still there after a restart', async () => {
  const it = await segnoUnderTest()
  await it.ask([picture().file])
  await it.reopen()
  expect(await bytesOf(await readFile(it, picture().hash))).toEqual(picture().bytes)
})

verifies('REL-1', 'a file of a message that waited when Segno stopped is there when its round begins', async () => {
  const hold = gateTool()
  const it = await segnoUnderTest({ script: busy, tools: [hold] })
  await it.send('busy')
  await hold.entered
  expect(await it.send([picture().file])).toMatchObject({ state: 'queued' })
  expect((await readFile(it, picture().hash)).status).toBe(404)
  await it.reopen()
  hold.open()
  await it.until('round.ended', 2)
  expect(said(await it.events(), 'message.user').at(-1)).toEqual({ content: [picture().part] })
  expect(await bytesOf(await readFile(it, picture().hash))).toEqual(picture().bytes)
  expect((await it.segno.check()).findings).toEqual([])
})

verifies(
  ['REL-1', 'REL-4'],
  'a server killed after it took two messages with files, one running and one waiting, has both files',
  async () => {
    const home = tempHome()
    const script = {
      scenarios: [{ when: '^slow', turns: [{ text: 'so slow '.repeat(50), delayMs: 20, deltaChars: 5 }] }],
    }
    const first = await serverChild({ home, script })
    const id = await newSession(first.url)
    const [running, waiting] = [textFile('of the first'), picture()]
    const post = (...content: unknown[]) => ask(first.url, 'POST', `/api/sessions/${id}/messages`, { content })
    expect((await post(running.json, { type: 'text', text: 'slow' })).body).toMatchObject({ state: 'running' })
    const { body } = await post(waiting.json)
    expect(body).toMatchObject({ state: 'queued' })
    await first.kill()
    const { url } = await serverChild({ home, script })
    await eventually(async () => (await ask(url, 'GET', `/api/rounds/${body.requestId}`)).body.state === 'ended')
    for (const { hash, bytes } of [running, waiting]) {
      const answer = await fetch(new URL(`/api/sessions/${id}/files/${hash}`, url))
      expect(await bytesOf(answer)).toEqual(bytes)
    }
  },
)

test('a file is there for who has the conversation, and in that conversation only', async () => {
  const it = await segnoUnderTest()
  await it.ask([picture().file])
  const { id: other } = await it.segno.createSession()
  const { sessions } = it.segno
  expect((await sessions.file(LOCAL_OWNER, it.sessionId, picture().hash)).part).toEqual(picture().part)
  for (const [actor, session, hash] of [
    [person('eve'), it.sessionId, picture().hash],
    [person('owner', 'elsewhere'), it.sessionId, picture().hash],
    [LOCAL_OWNER, other, picture().hash],
    [LOCAL_OWNER, 'nowhere', picture().hash],
    [LOCAL_OWNER, it.sessionId, textFile().hash],
    [LOCAL_OWNER, it.sessionId, "' OR 1 --"],
    [LOCAL_OWNER, it.sessionId, undefined as unknown as string],
  ] as const)
    expect((await problemOf(sessions.file(actor, session, hash))).code).toBe('NOT_FOUND')
})

verifies(
  ['ORC-5', 'LIN-6'],
  'a fork shares the files it inherited, and the last of the family takes them along',
  async () => {
    const it = await segnoUnderTest()
    const { sessions } = it.segno
    const [shared, own] = [textFile('SHARED words'), textFile('PRIVATE words')]
    await it.ask([shared.file])
    const { seq } = await sessions.get(LOCAL_OWNER, it.sessionId)
    const fork = await sessions.fork(LOCAL_OWNER, it.sessionId, seq)
    await it.ask([own.file])
    expect(await bytesOf(await readFile(it, shared.hash, fork.id))).toEqual(shared.bytes)
    expect((await readFile(it, own.hash, fork.id)).status).toBe(404)
    await sessions.delete(LOCAL_OWNER, it.sessionId)
    await eventually(async () => !(await writtenIn(it.home)).includes('PRIVATE words'))
    expect((await readFile(it, own.hash)).status).toBe(404)
    expect((await readFile(it, shared.hash)).status).toBe(404)
    expect(await bytesOf(await readFile(it, shared.hash, fork.id))).toEqual(shared.bytes)
    await sessions.delete(LOCAL_OWNER, fork.id)
    await eventually(async () => !(await writtenIn(it.home)).includes('SHARED words'))
  },
)

verifies('ORC-5', 'a file of a message that waits is erased with its session, and by no other', async () => {
  const hold = gateTool()
  const it = await segnoUnderTest({ script: busy, tools: [hold] })
  const { sessions } = it.segno
  const { id: other } = await it.segno.createSession()
  const [mine, both] = [textFile('MINE alone'), textFile('ALSO there')]
  await it.ask([both.file, textFile('THEIRS').file], { sessionId: other })
  await it.send('busy')
  await hold.entered
  const waiting = await it.send([mine.file, both.file])
  expect(waiting.state).toBe('queued')
  await sessions.delete(LOCAL_OWNER, other)
  await eventually(async () => !(await writtenIn(it.home)).includes('THEIRS'))
  expect(await writtenIn(it.home)).toContain('MINE alone')
  expect(await writtenIn(it.home)).toContain('ALSO there')
  hold.open()
  await waiting.completion
  expect(await bytesOf(await readFile(it, both.hash))).toEqual(both.bytes)
  await sessions.delete(LOCAL_OWNER, it.sessionId)
  await eventually(async () => !/MINE alone|ALSO there/.test(await writtenIn(it.home)))
})
