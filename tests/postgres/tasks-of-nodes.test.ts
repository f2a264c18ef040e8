import { expect, onTestFinished } from 'vitest'
import { LOCAL_OWNER } from '../../src/contract/actor.ts'
import type { Segno } from '../../src/segno.ts'
import { asked, change, readTasks } from '../mcp/servers/task-server.ts'
import { tasksOverHttp } from '../mcp/servers/tasks-over-http.ts'
import { eventually, ownServer } from '../mcp/under-test.ts'
import { tempFolder } from '../scenarios/workspace/support.ts'
import { freshDatabase } from '../support/postgres/fresh-database.ts'
import { startNode } from '../support/postgres/start-nodes.ts'
import { said } from '../support/segno-under-test.ts'
import { verifies } from '../support/verifies.ts'

/** Two nodes with a task server, the first of which waits for a task. */
async function twoNodes(folder: string, server: object) {
  const database = await freshDatabase()
  onTestFinished(() => database.drop())
  const lab = { ...server, tools: { work: { approval: 'auto', reach: [] } } }
  const options = {
    database: database.url,
    env: { SEGNO_MCP: JSON.stringify({ lab }) },
    builtInTools: false,
    model: { scenarios: [{ when: '', turns: [{ calls: [{ name: 'lab__work', args: {} }] }, { text: 'Done.' }] }] },
  }
  const one = await startNode(options)
  const other = await startNode(options)
  const { id } = await one.segno.createSession()
  const { requestId } = await one.segno.rounds.send(LOCAL_OWNER, id, 'Go.')
  const state = async ({ segno }: { segno: Segno }) => (await segno.rounds.get(LOCAL_OWNER, requestId)).state
  await eventually(async () => (await state(one)) === 'waiting')
  return {
    one,
    other,
    state,
    async result({ segno }: { segno: Segno }) {
      for (const kept of readTasks(folder))
        change(folder, kept, 'completed', { result: { content: [{ type: 'text', text: 'found' }] } })
      await eventually(async () => (await state({ segno })) === 'ended')
      return said(await segno.sessions.events(LOCAL_OWNER, id), 'tool.result')
    },
  }
}

verifies('REL-7', 'a task is asked about by the node whose server began it, while that node lives', async () => {
  const folder = tempFolder()
  const it = await twoNodes(folder, ownServer('task-server', folder, 'forgetful'))
  await eventually(() => asked(folder).length >= 4)
  expect(await it.state(it.other)).toBe('waiting')
  expect(await it.result(it.other)).toMatchObject([{ outcome: 'ok', content: 'found' }])
})

verifies('REL-7', 'a task of a node that is gone is asked about by another', async () => {
  const folder = tempFolder()
  const it = await twoNodes(folder, { url: (await tasksOverHttp(folder)).url })
  await it.one.close()
  expect(await it.result(it.other)).toMatchObject([{ outcome: 'ok', content: 'found' }])
  expect(readTasks(folder)).toHaveLength(1)
})
