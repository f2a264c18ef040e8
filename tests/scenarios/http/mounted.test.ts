import { getRequestListener } from '@hono/node-server'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createSegno } from '../../../src/index.ts'
import { storeSettings } from '../../support/store-under-test.ts'
import { tempHome } from '../library/support/open-segno.ts'

test('streams work through `segno.fetch` in a server of somebody else', async () => {
  const home = tempHome()
  const env = await storeSettings(home)
  const segno = await createSegno({ home, env, model: { otherwise: { text: 'Heard.' } } })
  // The adapter puts a Response of its own in the place of the global one before Segno has loaded what speaks HTTP.
  const listener = getRequestListener((request, env) => segno.fetch(request, env))
  const server = createServer((incoming, outgoing) => void listener(incoming, outgoing))
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    server.close()
    await segno.close()
  })
  const { id } = await segno.createSession()
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/sessions/${id}/messages`
  const headers = { 'content-type': 'application/json', accept: 'text/event-stream' }
  const answer = await fetch(url, { method: 'POST', headers, body: '{"content":"hello"}' })
  expect(await answer.text()).toContain('event: round.ended')
})
