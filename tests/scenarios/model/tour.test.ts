import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { defaultScript, type Script } from '../../../src/model/index.ts'
import { segnoUnderTest } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'

/** As fast as it goes. */
const script = {
  scenarios: defaultScript.scenarios?.map(({ turns, ...scenario }) => ({
    ...scenario,
    turns: turns.map(({ delayMs: _, ...turn }) => turn),
  })),
} as Script
const open = () => segnoUnderTest({ script, builtInTools: true })

/** A triggered round has three executions; what it says after them is its last word. */
const ENDS = { unified: 'complete', triggered: 'tool_limit' } as const

for (const protocol of ['unified', 'triggered'] as const) {
  verifies(
    'ORC-12',
    `without a key a ${protocol} tour calculates, asks, writes, repeats itself and is refused`,
    async () => {
      const { home, askUntilWaiting, decide } = await open()
      const { round, approvals } = await askUntilWaiting('Take the tour', { protocol })
      const file = join(home, 'workspace', 'tour', 'note.md')
      expect(existsSync(file)).toBe(false)
      await decide(approvals[0], 'approve')
      const { calls, finishReason, content } = await round.completion
      expect(calls.map(({ name, outcome }) => `${name} ${outcome}`)).toEqual([
        'calculator ok',
        'write_file ok',
        'write_file refused',
        'list_files ok',
      ])
      expect(existsSync(file)).toBe(true)
      expect(finishReason).toBe(ENDS[protocol])
      expect(content).toContain('ANTHROPIC_API_KEY')
    },
  )
}

verifies('ORC-8', 'who denies the file of the tour gets the rest of it and no file', async () => {
  const { home, askUntilWaiting, decide } = await open()
  const { round, approvals } = await askUntilWaiting('tour')
  await decide(approvals[0], 'deny')
  expect(await round.completion).toMatchObject({ finishReason: 'complete' })
  expect(existsSync(join(home, 'workspace', 'tour'))).toBe(false)
})
