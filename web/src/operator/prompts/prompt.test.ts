import { expect, test } from 'vitest'
import type { MeView } from '../../../../src/client/index.ts'
import { compareFirst, deedsFor, othersOf, titleOf, type Prompt } from './prompt.ts'
import { whyNoReview } from '../governed.ts'

const me = (id: string, ...permissions: string[]): MeView => ({ id, permissions }) as unknown as MeView
const prompt = (changes: Partial<Prompt> = {}): Prompt =>
  ({ id: 'p', name: 'House', version: 3, status: 'draft', author: 'ada', editors: ['eve'], ...changes }) as Prompt

test('nobody reviews words of their own, and nobody without the permission', () => {
  expect(whyNoReview(me('rob', 'prompt:review'), 'prompt:review', prompt())).toBeUndefined()
  expect(whyNoReview(me('rob', 'prompt:read'), 'prompt:review', prompt())).toContain('prompt:review')
  expect(whyNoReview(me('ada', '*'), 'prompt:review', prompt())).toBe('You wrote it: somebody else has to review it.')
  expect(whyNoReview(me('eve', 'prompt:*'), 'prompt:review', prompt())).toBe(
    'You changed its words: somebody else has to review it.',
  )
})

test('what can be done depends on the status and on the permissions', () => {
  const editor = me('ada', 'prompt:*', 'chat:*')
  expect(deedsFor(editor, prompt())).toEqual(['edit', 'try', 'submit', 'copy'])
  expect(deedsFor(me('rob', 'prompt:*', 'chat:*'), prompt())).toEqual(['edit', 'submit', 'copy'])
  expect(deedsFor(editor, prompt({ status: 'pending_review' }))).toEqual(['copy'])
  expect(deedsFor(editor, prompt({ status: 'approved' }))).toEqual(['activate', 'copy'])
  expect(deedsFor(editor, prompt({ status: 'active' }))).toEqual(['copy', 'deprecate'])
  expect(deedsFor(editor, prompt({ status: 'deprecated' }))).toEqual(['activate', 'copy'])
  expect(deedsFor(me('rob', 'prompt:read', 'prompt:review'), prompt({ status: 'approved' }))).toEqual([])
})

test('a name shows what cannot be seen in it', () => {
  expect(titleOf(prompt({ name: 'a\u202eb' }))).not.toContain('\u202e')
})

test('a version is compared with the active one, or else with the one before it, never with a later one', () => {
  const version = (number: number, changes: Partial<Prompt> = {}): Prompt =>
    prompt({ id: `v${number}`, version: number, ...changes })
  const [v1, v2, v3] = [version(1), version(2), version(3)]
  const other = prompt({ id: 'other', name: 'Other' })
  expect(othersOf(v2, [v3, v2, v1, other])).toEqual([v3, v1])
  expect(compareFirst(v2, [v3, v1])).toBe(v1)
  expect(compareFirst(v1, [v3, v2])).toBeUndefined()
  const active = prompt({ id: 'active', name: 'Other', status: 'active' })
  expect(othersOf(v3, [v3, v1, active])).toEqual([v1, active])
  expect(compareFirst(v3, [v1, active])).toBe(active)
})
