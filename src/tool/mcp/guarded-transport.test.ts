import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client'
import { expect } from 'vitest'
import { verifies } from '../../../tests/support/verifies.ts'
import { GuardedTransport } from './guarded-transport.ts'

const nested = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels))

verifies('REL-5', 'an answer that is nested past any use is lost, and what came with it is heard', async () => {
  const inner: Transport = { start: async () => {}, send: async () => {}, close: async () => {} }
  const guarded = new GuardedTransport(inner, 10, () => {})
  const heard: JSONRPCMessage[] = []
  Object.assign(guarded, { onmessage: (message: JSONRPCMessage) => void heard.push(message) })
  for (const id of [1, 2]) await guarded.send({ jsonrpc: '2.0', id, method: 'tools/call' })
  const answer = (id: number, levels: number) =>
    inner.onmessage?.({ jsonrpc: '2.0', id, result: { structuredContent: nested(levels) } })
  answer(1, 900_000)
  answer(2, 100)
  expect(heard).toMatchObject([
    { id: 1, error: { message: 'lost' } },
    { id: 2, result: {} },
  ])
  inner.onmessage?.({ jsonrpc: '2.0', method: 'x', params: { deep: nested(900_000) } })
  expect(heard).toHaveLength(2)
})
