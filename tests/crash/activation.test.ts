import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import type { AuditRecord } from '../../src/contract/audit.ts'
import { tempFolder } from '../scenarios/workspace/support.ts'
import { openStoreOf } from '../support/store-under-test.ts'
import { verifies } from '../support/verifies.ts'

const CHILD = fileURLToPath(new URL('activation-child.ts', import.meta.url))

for (const [when, expected] of [
  ['before', ['the first']],
  ['during', ['the first', 'the second']],
  ['after', ['the second']],
] as const)
  verifies(['GOV-4', 'REL-1'], `a process killed ${when} an activation leaves exactly one active prompt`, async () => {
    const home = tempFolder()
    const child = spawn(process.execPath, ['--conditions=segno-source', CHILD, home, when])
    expect(await once(child, 'exit')).toEqual([null, 'SIGKILL'])

    const store = await openStoreOf(home)
    try {
      const { items } = await store.prompts({ tenant: 'local', workspaceId: 'system' })
      const active = items.filter(({ status }) => status === 'active').map(({ content }) => content)
      expect(active).toHaveLength(1)
      expect(expected).toContain(active[0])
      const isSwitched = active[0] === 'the second'
      expect(items.map(({ status }) => status)).toEqual(isSwitched ? ['active', 'deprecated'] : ['approved', 'active'])
      const records = (await store.auditRows(0, 1000)).flatMap(({ body }) => JSON.parse(body) as AuditRecord[])
      const activations = records.filter(({ action }) => action === 'prompt_activated')
      expect(activations).toHaveLength(isSwitched ? 2 : 1)
      expect(await store.check()).toMatchObject({ ok: true, findings: [] })
    } finally {
      await store.close()
    }
  })
