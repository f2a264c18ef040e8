import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished } from 'vitest'
import { startJobs } from '../../src/job/index.ts'
import type { Coordinator } from '../../src/round/index.ts'
import { tempFolder } from '../scenarios/workspace/support.ts'
import { openStoreOf } from '../support/store-under-test.ts'
import { verifies } from '../support/verifies.ts'

const CHILD = fileURLToPath(new URL('job-child.ts', import.meta.url))
const LEASE_MS = 60_000
const IDLE = { rescue: async () => {}, sweep: () => {} } as unknown as Coordinator

for (const when of ['before', 'after'])
  verifies(
    'REL-1',
    `a job whose process is killed ${when} its effect, before it is finished, is done again`,
    async () => {
      const home = tempFolder()
      const child = spawn(process.execPath, ['--conditions=segno-source', CHILD, home, when])
      expect(await once(child, 'exit')).toEqual([null, 'SIGKILL'])

      const store = await openStoreOf(home)
      const { items } = await store.jobs()
      expect(items).toMatchObject([{ kind: 'purge', state: 'waiting', attempts: 1 }])
      const purged: string[] = []
      const purge: typeof store.purge = (id) => {
        purged.push(id)
        return store.purge(id)
      }
      let now = Date.now()
      const jobs = startJobs({ ...store, purge }, IDLE, { now: () => now })
      onTestFinished(async () => {
        await jobs.stop()
        await store.close()
      })
      now += LEASE_MS
      await jobs.tick()
      expect(purged).toHaveLength(1)
      expect((await store.jobs()).items).toEqual([])
      expect(await store.check()).toMatchObject({ ok: true, findings: [] })
    },
  )
