import { mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Tool } from '../../../src/contract/tool.ts'
import type { Deps } from '../../../src/round/index.ts'
import { composeUnderTest } from '../../support/compose-under-test.ts'

const call = (name: string, n: number) => ({ name, args: { n } })

/** Two calls in one turn, one in the next, and an answer. */
const SCRIPT = {
  scenarios: [
    {
      when: 'go',
      turns: [{ calls: [call('act', 1), call('act', 2)] }, { calls: [call('act', 3)] }, { text: 'Done.' }],
    },
  ],
}

const act = (run: Tool['run']): Tool => ({
  name: 'act',
  description: 'acts',
  input: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },
  effect: 'unsafe',
  approval: 'auto',
  reach: [],
  own: true,
  run,
})

async function play(run: Tool['run'], deps: (deps: Deps) => Deps = (same) => same) {
  const home = mkdtempSync(join(tmpdir(), 'segno-once-'))
  const segno = await composeUnderTest(
    { home, model: SCRIPT, tools: [act(run)], builtInTools: false, env: {} },
    { deps },
  )
  onTestFinished(async () => {
    await segno.close()
    rmSync(home, { recursive: true, force: true })
  })
  return { home, run: async () => (await segno.streamRequest((await segno.createSession()).id, 'go')).completion }
}

test('tools and workspace are looked up once for each step, the folder once for each call', async () => {
  const asked = { tools: 0, workspace: 0, folder: 0 }
  const played = await play(
    () => 'acted',
    (deps) => ({
      ...deps,
      tools: (...where) => (asked.tools++, deps.tools(...where)),
      workspace: (...where) => (asked.workspace++, deps.workspace(...where)),
      folder: (...where) => (asked.folder++, deps.folder(...where)),
    }),
  )
  const { content, calls } = await played.run()
  expect(content).toBe('Done.')
  expect(calls.map(({ outcome }) => outcome)).toEqual(['ok', 'ok', 'ok'])
  // Three model calls and three calls of a tool.
  expect(asked).toEqual({ tools: 6, workspace: 6, folder: 3 })
})

test('the folder is looked at anew for every call, and by its real path', async () => {
  const seen: string[] = []
  const played = await play((_, ctx) => {
    seen.push(ctx.folder)
    if (seen.length === 1) {
      renameSync(join(played.home, 'workspace'), join(played.home, 'moved'))
      symlinkSync(join(played.home, 'moved'), join(played.home, 'workspace'))
    }
    return 'looked'
  })
  const { calls } = await played.run()
  const home = realpathSync(played.home)
  expect(seen).toEqual([join(home, 'workspace'), join(home, 'moved'), join(home, 'moved')])
  expect(calls.map(({ outcome }) => outcome)).toEqual(['ok', 'ok', 'ok'])
})
