import { expect, test } from 'vitest'
import type { AuditRecord } from '../contract/audit.ts'
import type { Invocation } from '../contract/invocation.ts'
import { createSettling } from './settle-invocation.ts'

test('a result that comes in the same millisecond as its end is on record, too', async () => {
  const records: AuditRecord[] = []
  const given = { status: 'unknown', endedAt: 5, revision: 3 } as Invocation
  const { settle } = createSettling(
    {
      invocation: async () => given,
      async changeInvocation(_, audit = []) {
        records.push(...audit)
        return true
      },
    },
    { recordOf: ({ status }) => ({ id: status }) as unknown as AuditRecord, taken: () => undefined, onChanged() {} },
  )
  await settle(given, (now) => ({ ...now, status: 'success', endedAt: 5 }))
  expect(records).toEqual([{ id: 'success' }])
})
