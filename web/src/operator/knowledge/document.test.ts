import { expect, test } from 'vitest'
import type { MeView } from '../../../../src/client/index.ts'
import { deedsFor, foundBefore, type Doc } from './document.ts'

const me = (...permissions: string[]): MeView => ({ id: 'ada', permissions }) as unknown as MeView
const doc = (changes: Partial<Doc>): Doc => ({ id: 'd', version: 2, status: 'draft', ...changes }) as Doc

test('what can be done depends on the status, on what is found, and on the permissions', () => {
  const deeds = (changes: Partial<Doc>): string => deedsFor(me('knowledge:*'), doc(changes)).join(' ')
  expect(deeds({})).toBe('submit version rename delete')
  expect(deeds({ publishedVersion: 1 })).toBe('submit version archive delete')
  expect(deeds({ status: 'pending_review' })).toBe('version rename delete')
  expect(deeds({ status: 'approved', reviewer: 'rob' })).toBe('publish version rename delete')
  expect(deeds({ status: 'published', reviewer: 'rob', publishedVersion: 2 })).toBe('version archive delete')
  expect(deeds({ status: 'archived', reviewer: 'rob' })).toBe('publish version delete')
  expect(deeds({ status: 'archived' })).toBe('version delete')
  expect(deedsFor(me('knowledge:write'), doc({ status: 'approved', reviewer: 'rob' }))).not.toContain('publish')
  expect(deedsFor(me('knowledge:read', 'knowledge:review'), doc({}))).toEqual([])
})

test('while a newer version is made the one before is found', () => {
  expect(foundBefore(doc({ publishedVersion: 1 }))).toBe(1)
  expect(foundBefore(doc({ publishedVersion: 2 }))).toBeUndefined()
  expect(foundBefore(doc({}))).toBeUndefined()
})
