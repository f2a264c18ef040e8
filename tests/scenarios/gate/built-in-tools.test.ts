import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import { said, segnoUnderTest } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'

const WITHOUT_SHELL = {
  calculator: ['expression'],
  datetime: ['timezone'],
  deep_reasoning: ['context', 'problem'],
  list_files: ['path'],
  read_file: ['path'],
  search_files: ['query'],
  web_fetch: ['url'],
  write_file: ['content', 'path'],
}

verifies('ORC-9', 'the built-in tools are offered with the fields they are known for', async () => {
  const segno = await segnoUnderTest({ builtInTools: true })
  const fields = Object.fromEntries(
    (await segno.segno.tools(LOCAL_OWNER)).map(({ name, inputSchema }) => [
      name,
      Object.keys((inputSchema as { properties: object }).properties),
    ]),
  )
  for (const [name, wanted] of Object.entries(WITHOUT_SHELL))
    expect([name, fields[name]]).toEqual([name, expect.arrayContaining(wanted)])
})

verifies(
  'ORC-10',
  'where no sandbox can be made the model is not offered bash, and a call of it is refused',
  async () => {
    const calls = [{ name: 'bash', args: { command: 'touch /tmp/should-not-be' } }]
    const segno = await segnoUnderTest({
      builtInTools: true,
      env: { SEGNO_CGROUP: '/nowhere' },
      turns: [{ calls }, { text: 'Pity.' }],
    })
    const { events } = await segno.ask()
    const offered = segno.requests[0]?.tools?.map(({ name }) => name) ?? []
    expect(offered.sort()).toEqual(Object.keys(WITHOUT_SHELL))
    expect(said(events, 'tool.result')).toMatchObject([{ outcome: 'refused', code: 'UNKNOWN_TOOL' }])
  },
)

verifies('ORC-9', 'the model reads a long file cut at 200,000 characters, marked, as untrusted data', async () => {
  const calls = [{ name: 'read_file', args: { path: 'long.txt' } }]
  const segno = await segnoUnderTest({ builtInTools: true, turns: [{ calls }, { text: 'Read.' }] })
  mkdirSync(join(segno.home, 'workspace'), { recursive: true })
  writeFileSync(join(segno.home, 'workspace', 'long.txt'), 'All work and no play.\n'.repeat(20_000))
  const { events } = await segno.ask()
  const [result] = said(events, 'tool.result')
  expect(result?.outcome).toBe('ok')
  expect(result?.content.length).toBeLessThanOrEqual(200_000)
  expect(result?.content.length).toBeGreaterThan(190_000)
  expect(result?.content.slice(-200)).toMatch(/lines? .*more|cut|left out|of 20,?000|offset/)
  const shown = JSON.stringify(segno.requests[1]?.prompt.at(-1))
  expect(shown).toMatch(/<untrusted-data [0-9a-f]+>.*All work and no play.*<\/untrusted-data/)
})
