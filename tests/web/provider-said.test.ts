import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { asUser } from './support/as-user.ts'
import { barriers } from './support/barriers.ts'
import { button, endOf, inspector, say } from './support/person.ts'
import { openStage, type Stage } from './support/stage.ts'
import { visit } from './support/visit.ts'

const SAID = 'Your lamp has gone out. <b>Light it</b> at the desk.'

/** A stage whose provider refuses everything with these words. */
async function openRefused(): Promise<Stage> {
  const error = { type: 'error', error: { type: 'invalid_request_error', message: SAID } }
  const server = createServer((request, response) => {
    request.resume()
    response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify(error))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return openStage({ env: { ANTHROPIC_API_KEY: 'a', ANTHROPIC_BASE_URL: url } })
}

test('who may read traces is told what the provider said of a failed attempt, as text', async () => {
  const stage = await openRefused()
  const { page } = await visit(stage.url)
  await say(page, 'hello')
  await endOf(page, 'failed').click()
  await inspector(page)
    .getByRole('button', { name: /^Turn 1/ })
    .click()
  const quote = inspector(page).getByRole('blockquote', { name: 'What the provider said' })
  await quote.waitFor()
  expect(await quote.innerText()).toBe(SAID)
  expect(await barriers(page)).toEqual([])
})

test('others are not told', async () => {
  const stage = await openRefused()
  const { page } = await visit(stage.url, await asUser(stage, 'ada', 'user'))
  await say(page, 'hello')
  await endOf(page, 'failed').click()
  await inspector(page)
    .getByRole('button', { name: /^Turn 1/ })
    .click()
  await button(inspector(page), 'Show it in the conversation').waitFor()
  expect(await page.content()).not.toContain('lamp')
})
