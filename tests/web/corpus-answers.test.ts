import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { ask } from '../server/support/ask.ts'
import { eventually } from './support/eventually.ts'
import { asUser } from './support/as-user.ts'
import { FACES_SCRIPT } from './support/faces.ts'
import { go, lookOver } from './support/look-over.ts'
import { inspector, messages, sidebar } from './support/person.ts'
import { newHome, openStage, type Stage } from './support/stage.ts'
import { twistAnswers } from './support/twist.ts'
import { unfold } from './support/unfold.ts'
import { visit } from './support/visit.ts'

const WILD_SERVER = fileURLToPath(new URL('../mcp/servers/wild.ts', import.meta.url))
const calling = (name: string) => ({ when: `^${name}`, turns: [{ calls: [{ name, args: {} }] }, { text: 'Called.' }] })
const script = {
  ...FACES_SCRIPT,
  scenarios: [
    { when: 'leave', turns: [{ text: 'It is 28 days [k1]. [REMEMBER: Has leave]' }] },
    ...FACES_SCRIPT.scenarios,
    calling('wild__crash'),
    calling('asker__ask'),
  ],
}

/** The fields that must have been on the screen; a name may stand for several. */
const FIELDS =
  'title model text name content error reason tool target args by message userid key server diff ' +
  'description modelchosenbecause provider missing holder author label source'

/** A server on which everything has happened once, so that every list has something in it. */
async function eventfulStage(): Promise<{ stage: Stage; sessions: string[] }> {
  const home = newHome()
  const tools = join(home, 'tools.json')
  const define = (words: string): void =>
    writeFileSync(
      tools,
      JSON.stringify(
        ['crash', 'ask', 'reload', 'other'].map((name) => ({
          name,
          description: words,
          inputSchema: { type: 'object' },
        })),
      ),
    )
  define('As it was.')
  const stage = await openStage({
    home,
    script,
    env: {
      SEGNO_MCP: JSON.stringify({
        wild: { command: process.execPath, args: [WILD_SERVER, '', tools] },
        asker: { command: process.execPath, args: [WILD_SERVER, '', tools] },
        broken: { command: '/nowhere/at/all' },
      }),
    },
  })
  const start = async (content: string, more: object = {}): Promise<string> => {
    const { id = '' } = await stage.post('/api/sessions', { title: content })
    await stage.post(`/api/sessions/${id}/messages?wait=1`, { content, ...more })
    return id
  }
  const sessions = [
    await start('work', { limits: { maxToolCalls: 1 } }),
    await start('fail'),
    await start('write'),
    await start('wild__crash'),
    await start('asker__ask'),
  ]
  await stage.post(`/api/sessions/${sessions[0]}/fork`, { seq: 3 })
  // The server that crashes comes back with other definitions.
  define('As it is now.')
  for (const { id, sessionId } of (await stage.get('/api/approvals?status=pending')).items ?? [])
    if (sessionId !== sessions[2]) await stage.post(`/api/approvals/${id}`, { decision: 'approve' })
  await eventually(async () => (await stage.get('/api/calls?outcome=unknown')).items?.length).toBe(1)
  await eventually(async () => (await stage.get('/api/approvals?status=pending')).items?.length).toBe(2)
  await eventually(async () => (await stage.get('/api/mcp/quarantined')).items?.length).toBeGreaterThan(0)
  await ask(stage.url, 'PUT', '/api/budgets/ada', { dailyTokens: 1000 })
  const house = { kind: 'openai-compatible', baseURL: 'https://8.8.8.8/v1', headers: { 'x-title': 'House' } }
  await ask(stage.url, 'PUT', '/api/providers/house', house)
  await stage.post('/api/prompts', { name: 'House', content: 'Be kind.' })
  const { id: prompt } = await stage.post('/api/prompts', { name: 'House', content: 'Be brief.' })
  await stage.post(`/api/prompts/${prompt}/submit`, { reason: 'It is shorter.' })
  return { stage, sessions: [...sessions, await citingSession(stage)] }
}

/** A conversation whose answer cites a document and notes something. */
async function citingSession(stage: Stage): Promise<string> {
  const rob = await asUser(stage, 'rob', 'reviewer')
  await ask(stage.url, 'PUT', '/api/preferences', { allowMemory: true })
  const { id } = await stage.post('/api/knowledge', { title: 'Leave', content: '# Leave\n\n28 days.', source: 'a.md' })
  await stage.post(`/api/knowledge/${id}/submit`)
  await ask(stage.url, 'POST', `/api/knowledge/${id}/approve`, {}, { authorization: `Bearer ${rob.key}` })
  await stage.post(`/api/knowledge/${id}/publish`)
  const { id: session = '' } = await stage.post('/api/sessions', { title: 'leave' })
  await stage.post(`/api/sessions/${session}/messages?wait=1`, { content: 'How much leave?' })
  await eventually(async () => (await stage.get('/api/memories')).items?.length).toBe(1)
  return session
}

test('whatever the server answers with, the page only shows it', async () => {
  const { stage, sessions } = await eventfulStage()
  const { page } = await visit(stage.url)
  await page.evaluate(() =>
    localStorage.setItem('segno.preferences', JSON.stringify({ outputs: true, inspector: true })),
  )
  await twistAnswers(page)
  await page.reload()
  const { look, signs, faults } = lookOver(page)
  await sidebar(page).getByRole('link').nth(5).waitFor()
  await look()
  for (const session of sessions) {
    await go(page, `/s/${session}`)
    await messages(page).getByRole('article', { name: 'Segno' }).waitFor()
    await unfold(page, '[role=log]')
    await look()
    for (const tab of ['Round', 'Prompt', 'Usage', 'Events', 'Forks']) {
      await inspector(page).getByRole('tab', { name: tab }).click()
      await eventually(() => inspector(page).getByRole('tabpanel').innerText()).not.toBe('')
      await unfold(page, '[role=tabpanel]')
      await look()
    }
  }
  for (const tab of [
    'overview',
    'rounds',
    'approvals',
    'unknown',
    'tools',
    'models',
    'providers',
    'prompts',
    'knowledge',
    'memories',
    'audit',
  ]) {
    await go(page, `/operator/${tab}`)
    await eventually(() => page.getByRole('main').innerText()).toContain('§')
    // Lists of strangers' servers take their time.
    for (const region of tab === 'tools' ? ['Changed definitions', 'MCP servers'] : [])
      await eventually(() => page.getByRole('region', { name: region }).innerText()).toContain('§')
    await unfold(page, 'main')
    await look()
  }
  await go(page, '/operator/prompts')
  await page.getByRole('main').getByRole('link', { name: /v1$/ }).first().click()
  await page.getByRole('region', { name: 'Words' }).waitFor()
  await look()
  await go(page, '/operator/knowledge')
  await page.getByRole('region', { name: 'Documents' }).getByRole('link').first().click()
  await page.getByRole('list', { name: /^Passages of version/ }).waitFor()
  await look()
  expect(Object.fromEntries(faults)).toEqual({})
  const seen = new Set([...signs].map((sign) => sign.replace(/§(\w+)-.*/, '$1')))
  expect(FIELDS.split(' ').filter((field) => !seen.has(field))).toEqual([])
})
