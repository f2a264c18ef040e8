import { expect, test } from 'vitest'
import type { GovernedPrompt } from '../contract/governed-prompt.ts'
import { MOST_EDITS } from '../lib/line-diff.ts'
import { diffPrompts } from './prompt-diff.ts'

const prompt = (id: string, content: string): GovernedPrompt => ({
  id,
  tenant: 'acme',
  workspaceId: 'system',
  name: 'rules',
  version: 1,
  content,
  status: 'draft',
  author: 'ada',
  editors: [],
  tokens: 1,
  createdAt: 0,
  updatedAt: 0,
  revision: 1,
})

const diff = (before: string, after: string) => diffPrompts(prompt('a', before), prompt('b', after))

test('lines that look like signs of a diff are counted as the lines they are', async () => {
  const { diff: text, added, removed } = await diff('-- a\nsame', 'same\n++ b\n@@ c')
  expect(text).toBe('@@ -1,2 +1,3 @@\n--- a\n same\n+++ b\n+@@ c')
  expect([added, removed]).toEqual([2, 1])
})

test('a line end more is a line more', async () => {
  expect(await diff('a', 'a\n')).toEqual({ from: 'a', to: 'b', diff: '@@ -1,1 +1,2 @@\n a\n+', added: 1, removed: 0 })
})

test('texts with too little in common are shown as one that goes and one that comes', async () => {
  const lines = (word: string): string => Array.from({ length: MOST_EDITS }, (_, at) => `${word} ${at}`).join('\n')
  const { diff: text, added, removed } = await diff(lines('old'), lines('new'))
  expect(text.split('\n').slice(0, 2)).toEqual([`@@ -1,${MOST_EDITS} +1,${MOST_EDITS} @@`, '-old 0'])
  expect([added, removed]).toEqual([MOST_EDITS, MOST_EDITS])
})
