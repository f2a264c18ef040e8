import { compose } from '../../src/app.ts'
import type { Change } from '../../src/store/index.ts'
import type { Place } from '../place.ts'
import { freshSession, playRound } from '../subject.ts'
import { nothing, script, type Workload } from '../workloads.ts'

/** The changes that Segno commits for a round, whatever database it has. */
export async function recordChanges(place: Place, workload: Workload): Promise<readonly Change[]> {
  const changes: Change[] = []
  const options = {
    home: place.folder('recorded'),
    durability: 'normal',
    model: script,
    tools: [nothing],
    env: {},
  } as const
  const segno = await compose(options, {
    store(open) {
      const store = open()
      return {
        ...store,
        commit(change) {
          changes.push(change)
          return store.commit(change)
        },
      }
    },
  })
  const id = await freshSession(segno)
  changes.length = 0
  await playRound(segno, id, workload.message)
  await segno.close()
  return changes.filter(({ sessionId }) => sessionId === id)
}
