import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { LOCAL_OWNER } from '../../src/contract/actor.ts'
import { said, segnoUnderTest, type Opening } from '../support/segno-under-test.ts'
import { verifies } from '../support/verifies.ts'
import { asked, change, readTasks, type Kept, type Way } from './servers/task-server.ts'
import { tasksOverHttp } from './servers/tasks-over-http.ts'
import { call, eventually, mcpUnderTest, ownServer, reference, temporaryFolder } from './under-test.ts'

const TRANSPORTS = ['stdio', 'HTTP'] as const
type Transport = (typeof TRANSPORTS)[number]

const SECRET = 'a-key-that-nobody-may-see'
const text = (words: string): object => ({ content: [{ type: 'text', text: words }] })

/** Segno with a task server, and a model that calls its tool once. */
async function working(
  transport: Transport,
  { ways = [], tool = {}, ...opening }: Opening & { ways?: readonly Way[]; tool?: object } = {},
) {
  const folder = temporaryFolder()
  const stdio = { ...ownServer('task-server', folder, ways.join(',')), env: { SOME_API_KEY: SECRET } }
  const http = transport === 'HTTP' ? await tasksOverHttp(folder, { ways }) : undefined
  const server = http ? { url: http.url, headers: { 'x-api-key': SECRET } } : stdio
  const tools = { work: { approval: 'auto', reach: [], ...tool } }
  const it = await segnoUnderTest({
    env: { SEGNO_MCP: JSON.stringify({ lab: { ...server, tools } }) },
    turns: [{ calls: [{ name: 'lab__work', args: { n: 1 } }] }, { text: 'Done.' }],
    ...opening,
  })
  return {
    ...it,
    get segno() {
      return it.segno
    },
    folder,
    /** Sends a message and waits until its round rests for the task. */
    async begin(): Promise<{ requestId: string; kept: Kept }> {
      const { round } = await it.askUntilWaiting('Go.')
      return { requestId: round.requestId, kept: readTasks(folder)[0] as Kept }
    },
    ended: (requestId: string) => it.segno.completion(it.sessionId, requestId),
    end: (kept: Kept, status: string, ends?: Kept['ends'], message?: string) =>
      change(folder, kept, status, ends, message),
    result: async () => said(await it.events(), 'tool.result')[0],
    pid: () => Number(readFileSync(join(folder, 'pid'), 'utf8')),
    asked: () => asked(folder),
    http: http!,
  }
}

for (const transport of TRANSPORTS) {
  verifies(
    ['COO-8', 'LIN-2'],
    `over ${transport}, a round rests while a task works, and goes on with its result`,
    async () => {
      const it = await working(transport)
      const { requestId, kept } = await it.begin()
      expect(await it.segno.rounds.get(LOCAL_OWNER, requestId)).toMatchObject({ state: 'waiting', waitingFor: 'task' })
      const ref = `lab/${kept.task.taskId}`
      expect(said(await it.events(), 'tool.submitted')).toMatchObject([{ kind: 'task', ref }])
      expect(kept.params).toMatchObject({ arguments: { n: 1 }, task: { ttl: 86_400_000 } })
      await eventually(() => it.asked().length > 1)
      expect(it.segno.stats()).toMatchObject({ running: 0 })
      it.end(kept, 'completed', { result: text(`found with ${SECRET}`) })
      expect(await it.ended(requestId)).toMatchObject({ finishReason: 'complete', content: 'Done.' })
      const result = await it.result()
      expect(result).toMatchObject({ outcome: 'ok', effect: 'done' })
      expect(result?.content).toMatch(/^found with /)
      expect(result?.content).not.toContain(SECRET)
      // Text from outside, like whatever a server returns.
      expect(result).not.toHaveProperty('own')
      await eventually(async () => (await it.segno.jobs.list(LOCAL_OWNER)).items.length === 0)
      expect(readTasks(it.folder)).toHaveLength(1)
    },
  )

  verifies(['COO-8', 'REL-4'], `over ${transport}, a task is asked about after a restart too`, async () => {
    const it = await working(transport)
    const { requestId, kept } = await it.begin()
    await it.reopen()
    it.end(kept, 'completed', { result: text('found') })
    expect(await it.ended(requestId)).toMatchObject({ finishReason: 'complete' })
    expect(await it.result()).toMatchObject({ outcome: 'ok', content: 'found' })
    expect(readTasks(it.folder)).toHaveLength(1)
  })

  verifies(
    ['COO-8', 'REL-2'],
    `over ${transport}, a task that works when its round is cancelled is cancelled too`,
    async () => {
      const it = await working(transport)
      const { requestId } = await it.begin()
      await it.segno.rounds.cancel(LOCAL_OWNER, it.sessionId, requestId)
      expect(await it.ended(requestId)).toMatchObject({ finishReason: 'cancelled' })
      await eventually(() => readTasks(it.folder)[0]?.task.status === 'cancelled')
      expect(await it.result()).toMatchObject({ outcome: 'unknown', effect: 'unknown' })
      await eventually(async () => (await it.segno.jobs.list(LOCAL_OWNER)).items.length === 0)
    },
  )
}

verifies(
  ['COO-8', 'REL-2'],
  'a task that its server was killed with, and forgot, leaves its effect unknown',
  async () => {
    const it = await working('stdio', { ways: ['forgetful'], limits: { MCP_RESTART_MS: 10 } })
    const { requestId } = await it.begin()
    process.kill(it.pid(), 'SIGKILL')
    expect(await it.ended(requestId)).toMatchObject({ finishReason: 'complete' })
    const result = await it.result()
    expect(result).toMatchObject({ outcome: 'error', effect: 'unknown' })
    expect(result?.content).toContain('cannot say what became of the task: it does not know the task any more')
    expect(await it.segno.rounds.unknownCalls(LOCAL_OWNER)).toHaveLength(1)
  },
)

test('a server that was killed and remembers its tasks is asked again', async () => {
  const it = await working('stdio', { limits: { MCP_RESTART_MS: 10 } })
  const { requestId, kept } = await it.begin()
  process.kill(it.pid(), 'SIGKILL')
  it.end(kept, 'completed', { result: text('found') })
  expect((await it.ended(requestId)).finishReason).toBe('complete')
  expect(await it.result()).toMatchObject({ outcome: 'ok', content: 'found' })
})

test('a server over HTTP that was restarted and remembers its tasks is asked again', async () => {
  const it = await working('HTTP', { limits: { MCP_RESTART_MS: 10 } })
  const { requestId, kept } = await it.begin()
  it.http.restart()
  it.end(kept, 'completed', { result: text('found') })
  expect((await it.ended(requestId)).finishReason).toBe('complete')
  expect(await it.result()).toMatchObject({ outcome: 'ok', content: 'found' })
})

verifies('REL-2', 'a task that takes longer than its server keeps it ends as a timeout, and is cancelled', async () => {
  const it = await working('HTTP', { ways: ['short-lived'] })
  const { requestId } = await it.begin()
  expect((await it.ended(requestId)).finishReason).toBe('complete')
  expect(await it.result()).toMatchObject({ outcome: 'timeout', effect: 'unknown' })
  await eventually(() => readTasks(it.folder)[0]?.task.status === 'cancelled')
})

test('a task that fails is a failure of the call, in the words of the server', async () => {
  for (const [ends, message, words] of [
    [{ result: { ...text('no such disk'), isError: true } }, undefined, 'no such disk'],
    [{ error: { code: -32_000, message: 'the disk is gone' } }, undefined, 'the disk is gone'],
  ] as const) {
    const it = await working('HTTP')
    const { requestId, kept } = await it.begin()
    it.end(kept, 'failed', ends, message)
    await it.ended(requestId)
    const result = await it.result()
    expect(result).toMatchObject({ outcome: 'error', effect: 'none' })
    expect(result?.content).toContain(words)
  }
})

test('a task that its server cancelled itself leaves the effect unknown, with the reason', async () => {
  const it = await working('HTTP')
  const { requestId, kept } = await it.begin()
  it.end(kept, 'cancelled', undefined, 'the lab closes')
  await it.ended(requestId)
  const result = await it.result()
  expect(result).toMatchObject({ outcome: 'error', effect: 'unknown' })
  expect(result?.content).toContain('cancelled the task: the lab closes')
})

test('a completed task whose result is lost was carried out', async () => {
  const it = await working('HTTP', { ways: ['no-result'] })
  const { requestId, kept } = await it.begin()
  it.end(kept, 'completed')
  await it.ended(requestId)
  const result = await it.result()
  expect(result).toMatchObject({ outcome: 'error', effect: 'done' })
  expect(result?.content).toContain('completed the task, but did not give its result')
})

verifies('REL-2', 'a refusal of HTTP is not the answer of a task', async () => {
  const results = ['completed', 'input_required', 'failed'].map(async (status) => {
    const it = await working('HTTP')
    const { requestId, kept } = await it.begin()
    it.http.refuseOnce('tasks/result', 429)
    it.end(kept, status, { result: text('found') })
    await it.ended(requestId)
    return it.result()
  })
  for (const result of await Promise.all(results)) expect(result).toMatchObject({ outcome: 'ok', content: 'found' })
})

test('a tool that answers at once although it is called as a task has answered', async () => {
  const it = await working('HTTP', { ways: ['at-once'] })
  expect((await it.ask()).finishReason).toBe('complete')
  expect(await it.result()).toMatchObject({ outcome: 'ok', content: 'done at once' })
})

test('a task without a name that can be kept leaves the effect unknown', async () => {
  const it = await working('HTTP', { ways: ['odd-name'] })
  await it.ask()
  expect(await it.result()).toMatchObject({ outcome: 'error', effect: 'unknown' })
})

verifies(
  'REL-2',
  'a server that dies between a task and its name leaves the effect unknown if it is unsafe',
  async () => {
    const it = await working('stdio', { ways: ['die-after-effect'], limits: { MCP_RESTART_MS: 10 } })
    await it.ask()
    expect(await it.result()).toMatchObject({ outcome: 'error', effect: 'unknown' })
    expect(readTasks(it.folder)).toHaveLength(1)
  },
)

verifies('REL-2', 'a keyed call whose task lost its name is sent again and finds the same task', async () => {
  const limits = { MCP_RESTART_MS: 10 }
  const it = await working('stdio', { ways: ['die-after-effect'], tool: { effect: 'keyed' }, limits })
  const { requestId, kept } = await it.begin()
  it.end(kept, 'completed', { result: text('found') })
  await it.ended(requestId)
  expect(await it.result()).toMatchObject({ outcome: 'ok', content: 'found' })
  expect(readTasks(it.folder)).toHaveLength(1)
})

verifies('REL-2', 'a result that comes after its round was cancelled settles whether the call happened', async () => {
  const it = await working('HTTP')
  const { requestId, kept } = await it.begin()
  it.http.isAway = true
  await it.segno.rounds.cancel(LOCAL_OWNER, it.sessionId, requestId)
  await it.ended(requestId)
  expect(await it.segno.rounds.unknownCalls(LOCAL_OWNER)).toHaveLength(1)
  it.end(kept, 'completed', { result: text('found') })
  it.http.isAway = false
  expect((await it.until('tool.reconciled')).data).toMatchObject({ happened: true })
  expect(await it.segno.rounds.unknownCalls(LOCAL_OWNER)).toEqual([])
})

test('a server that is not set up any more ends the call with an unknown effect', async () => {
  const it = await working('HTTP')
  const { requestId } = await it.begin()
  await it.reopen({ env: {} })
  await it.ended(requestId)
  const result = await it.result()
  expect(result).toMatchObject({ outcome: 'error', effect: 'unknown' })
  expect(result?.content).toContain('the MCP server "lab" is not set up here any more')
})

test('a server with an open task is not stopped for being idle', async () => {
  const it = await working('stdio', { ways: ['forgetful'], limits: { MCP_IDLE_MS: 100 } })
  const { requestId, kept } = await it.begin()
  await eventually(() => it.asked().length >= 3)
  it.end(kept, 'completed', { result: text('found') })
  await it.ended(requestId)
  expect(await it.result()).toMatchObject({ outcome: 'ok', content: 'found' })
})

test('what a task asks is put to nobody, even while a call runs whose person could be asked', async () => {
  const { tools } = mcpUnderTest({ wild: ownServer('wild') })
  const asked: string[] = []
  const ask = ({ message }: { message: string }) => {
    asked.push(message)
    return Promise.resolve({ action: 'accept', content: { colour: 'red' } } as const)
  }
  expect(await call((await tools())['wild__ask'], { task: 'some-task' }, { ask })).toBe('[{"action":"decline"}]')
  expect(asked).toEqual([])
})

test('a tool that can only be called as a task is refused where that is not possible', async () => {
  const { mcp, tools } = mcpUnderTest({ lab: ownServer('task-server', temporaryFolder(), 'no-tasks') })
  expect(await tools()).toEqual({})
  const reason = 'it can only be called as a task, and its server does not offer tasks'
  expect(mcp.status()[0]?.tools).toMatchObject([{ name: 'work', state: 'refused', reason }])
})

for (const ambiguous of [false, true])
  test(`the reference server "everything" ${ambiguous ? 'asks nobody during' : 'is waited for in'} a task`, async () => {
    const args = { topic: 'python', ambiguous }
    const it = await segnoUnderTest({
      env: {
        SEGNO_MCP: JSON.stringify({
          demo: { ...reference('everything'), tools: { '*': { approval: 'auto', reach: [] } } },
        }),
      },
      turns: [{ calls: [{ name: 'demo__simulate-research-query', args }] }, { text: 'Done.' }],
    })
    const { events } = await it.ask()
    expect(said(events, 'round.waiting')).toMatchObject([{ for: 'task' }])
    const [result] = said(events, 'tool.result')
    expect(result).toMatchObject({ outcome: 'ok' })
    expect(result?.content).toContain('# Research Report: python')
    if (ambiguous) expect(result?.content).toContain('User declined')
  })
