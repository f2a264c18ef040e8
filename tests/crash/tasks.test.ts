import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished } from 'vitest'
import { LOCAL_OWNER } from '../../src/contract/actor.ts'
import { change, readTasks } from '../mcp/servers/task-server.ts'
import { tasksOverHttp } from '../mcp/servers/tasks-over-http.ts'
import { ofType } from '../properties/invariants/round-logs.ts'
import { tempFolder } from '../scenarios/workspace/support.ts'
import { storeEnv } from '../support/store-under-test.ts'
import { verifies } from '../support/verifies.ts'
import { openWithTasks } from './with-tasks.ts'

const CHILD = fileURLToPath(new URL('task-child.ts', import.meta.url))
/** Longer than the lease of a job. */
const LATER = 120_000

/** During which request the process is killed, and what the call ends as. */
const KILLS = [
  // The server has begun the task, and its name is lost.
  ['tools/call', 'unsafe', 'unknown'],
  ['tools/call', 'keyed', 'ok'],
  ['tasks/get', 'unsafe', 'ok'],
  ['tasks/result', 'unsafe', 'ok'],
] as const

for (const [method, effect, outcome] of KILLS)
  verifies(
    ['LIN-2', 'REL-1', 'REL-2'],
    `a task of a call that is ${effect} is begun once and has one result if the process is killed in ${method}`,
    async () => {
      const [home, folder] = [tempFolder(), join(tempFolder(), 'tasks')]
      let child: ReturnType<typeof spawn> | undefined
      const { url } = await tasksOverHttp(folder, {
        onDone(done) {
          // So that its result is asked for as soon as possible.
          const [kept] = readTasks(folder)
          if (done === 'tools/call' && kept && method === 'tasks/result') end(folder)
          return child !== undefined && done === method && child.kill('SIGKILL')
        },
      })
      const args = ['--conditions=segno-source', CHILD, home, url, effect]
      child = spawn(process.execPath, args, { env: { ...process.env, ...storeEnv() } })
      let said = ''
      child.stderr?.on('data', (words) => (said += String(words)))
      expect([await once(child, 'exit'), said]).toEqual([[null, 'SIGKILL'], ''])
      child = undefined

      const segno = await openWithTasks(home, url, effect, () => Date.now() + LATER)
      onTestFinished(() => segno.close())
      end(folder)
      const [session] = (await segno.sessions.list(LOCAL_OWNER)).items
      const events = () => segno.sessions.events(LOCAL_OWNER, session?.id ?? '')
      const isOver = async () => [
        ofType(await events(), 'round.ended').length,
        (await segno.jobs.list(LOCAL_OWNER)).items.length,
      ]
      await expect.poll(isOver, { timeout: 100_000 }).toEqual([1, 0])
      expect(ofType(await events(), 'tool.result').map(({ data }) => data.outcome)).toEqual([outcome])
      expect(readTasks(folder)).toHaveLength(1)
      expect(await segno.check()).toMatchObject({ ok: true })
    },
    120_000,
  )

function end(folder: string): void {
  for (const kept of readTasks(folder))
    change(folder, kept, 'completed', { result: { content: [{ type: 'text', text: 'found' }] } })
}
