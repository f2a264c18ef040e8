import { expect, test } from 'vitest'
import { gateTool } from '../scenarios/library/support/gate-tool.ts'
import { ask, newSession } from './support/ask.ts'
import { served } from './support/served.ts'

test('a chat message that is refused leaves no empty session behind', async () => {
  const hold = gateTool('hold')
  const model = { scenarios: [{ when: '^hold', turns: [{ calls: [{ name: 'hold' }] }, { text: 'Done.' }] }] }
  const { url } = await served({ model, tools: [hold], limits: { MAX_ROUNDS: 1, QUEUE_LENGTH: 0 } })
  const id = await newSession(url)
  await ask(url, 'POST', `/api/sessions/${id}/messages`, { content: 'hold on' })
  await hold.entered
  for (let i = 0; i < 3; i++) expect((await ask(url, 'POST', '/api/chat/messages', { content: 'hi' })).status).toBe(429)
  hold.open()
  expect((await ask(url, 'GET', '/api/sessions')).body.items).toHaveLength(1)
})
