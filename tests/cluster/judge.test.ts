import { expect } from 'vitest'
import { verifies } from '../support/verifies.ts'
import { fencedCommits } from './judge.ts'
import type { Deed } from './node-plan.ts'

const about = (node: string, epoch: number) => ({ node, at: 0, sessionId: 's', epoch })
const commit = (node: string, epoch: number, expected: number): Deed => ({
  type: 'commit',
  ...about(node, epoch),
  expected,
  events: 2,
})

verifies('REL-3', 'what a former owner stores after its session was claimed is noticed', () => {
  const claim: Deed = { type: 'claim', ...about('b', 2), head: 3 }
  expect(fencedCommits([commit('a', 1, 1), claim, commit('b', 2, 3)])).toEqual([])
  expect(fencedCommits([commit('a', 1, 3), claim])).toMatchObject([{ check: 'fenced owners store nothing' }])
  expect(fencedCommits([claim, commit('a', 1, 2)])).toHaveLength(1)
})
