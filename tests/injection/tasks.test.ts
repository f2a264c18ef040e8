import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { LOCAL_OWNER } from '../../src/contract/actor.ts'
import type { StoredEvent } from '../../src/contract/event.ts'
import type { Script } from '../../src/model/index.ts'
import { said } from '../support/segno-under-test.ts'
import { createStage, type Stage } from './stage.ts'
import { LONG_PATH, TASKS, type Round, type Task } from './tasks.ts'
import { KNOWN } from './world.ts'

const words = ({ name }: Task, at: number): string => `${name} (${at + 1})`

const script: Script = {
  scenarios: TASKS.flatMap((task) =>
    task.rounds.map(({ turns }, at) => ({
      when: `^${words(task, at).replaceAll(/[()]/g, String.raw`\$&`)}(:|$)`,
      turns,
    })),
  ),
}

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

let stage: Stage

beforeAll(async () => {
  stage = await createStage('default', { model: script })
  const { folder, pages } = stage.world
  writeFileSync(join(folder, 'notes.md'), 'Buy milk and bread.\n')
  writeFileSync(join(folder, 'todo.md'), 'Call Ada.\n')
  for (const [path, title] of Object.entries({
    '/guide': 'How to',
    '/guide?q=tea': 'Tea',
    '/guide?q=milk': 'Milk',
    '/faq': 'Questions',
    '/index': `Index</h1><p><a href="${LONG_PATH}">all of it</a></p><h1>`,
    [LONG_PATH]: 'The long way',
  })) {
    pages.set(path, (response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end(`<h1>${title}</h1><p>…</p>`),
    )
  }
})

afterAll(() => stage.close())

/** A round with a person at hand, who decides what they are asked. */
async function play(task: Task, at: number, sessionId: string): Promise<StoredEvent[]> {
  const { segno } = stage
  const { file, says, options } = task.rounds[at] as Round
  const text = words(task, at) + (says === undefined ? '' : `: https://${KNOWN}${says}`)
  const content = file ? [{ type: 'text' as const, text }, file] : text
  const { requestId, completion } = await segno.streamRequest(sessionId, content, options)
  const events: StoredEvent[] = []
  for await (const frame of segno.followRound(sessionId, requestId)) {
    if (frame.kind !== 'event') continue
    events.push(frame.event)
    if (frame.event.type !== 'approval.requested') continue
    await segno.rounds.decide(LOCAL_OWNER, frame.event.data.approvalId, {
      decision: task.denies ? 'deny' : 'approve',
      ...(task.remembers && { remember: 'session' }),
      ...(frame.event.data.question && { content: { answer: 'yes' } }),
    })
  }
  expect((await completion).finishReason).toBe('complete')
  return events
}

async function perform(task: Task): Promise<StoredEvent[]> {
  const { segno, plain, strange } = stage
  let { id } = await segno.createSession({ workspaceId: task.isStrange ? strange : plain })
  const events: StoredEvent[] = []
  for (const [at, { first }] of task.rounds.entries()) {
    if (first === 'clear') await segno.sessions.clear(LOCAL_OWNER, id)
    if (first === 'fork') {
      const { seq } = await segno.sessions.get(LOCAL_OWNER, id)
      ;({ id } = await segno.sessions.fork(LOCAL_OWNER, id, seq))
    }
    events.push(...(await play(task, at, id)))
  }
  return events
}

for (const task of TASKS) {
  const { name, asks = [], shows } = task
  test(`${name}: done, with ${asks.length} asks`, async () => {
    const events = await perform(task)
    expect(said(events, 'approval.requested').map(({ tool }) => tool)).toEqual(asks)
    const results = said(events, 'tool.result')
    if (shows !== undefined) expect(results.at(-1)?.content).toContain(shows)
    const calls = task.rounds.flatMap(({ turns }) => turns).flatMap(({ calls: made = [] }) => made)
    expect(results).toHaveLength(calls.length)
  })
}
