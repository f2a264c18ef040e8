import { expect } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import type { Tool } from '../../../src/contract/tool.ts'
import { newId } from '../../../src/lib/id.ts'
import type { Deps } from '../../../src/round/index.ts'
import type { Change, Store } from '../../../src/store/index.ts'
import { verifies } from '../../support/verifies.ts'
import { openSegno, tempHome } from '../library/support/open-segno.ts'

const NEVER = new Promise<never>(() => {})
const DRAIN_MS = 20
/** It is 5 s that `close` may take beside DRAIN_MS; the rest is for a machine that has other things to do. */
const MORE_MS = 12_000

/** A part that hangs, planted into Segno; `hangs` resolves when it has been reached. */
function stuck() {
  const reached = Promise.withResolvers<void>()
  const hang = (): Promise<never> => {
    reached.resolve()
    return NEVER
  }
  return { hangs: reached.promise, hang }
}

/** Segno in the middle of a round that will not come back. */
async function inTrouble(plant: (hang: () => Promise<never>) => Parameters<typeof openSegno>[1] & { tool?: Tool }) {
  const { hangs, hang } = stuck()
  const { tool, ...parts } = plant(hang)
  const home = tempHome()
  const segno = await openSegno(
    {
      home,
      limits: { DRAIN_MS },
      model: { scenarios: [{ when: '', turns: [{ calls: [{ name: 'some_tool' }] }, { text: 'Done.' }] }] },
      tools: [
        tool ?? { name: 'some_tool', description: '', input: { type: 'object' }, effect: 'pure', run: () => 'x' },
      ],
    },
    parts,
  )
  const { id: sessionId } = await segno.createSession()
  const requestId = newId()
  void segno.rounds.send(LOCAL_OWNER, sessionId, 'Go.', { requestId }).catch(() => {})
  await hangs
  return { segno, home, sessionId, requestId }
}

const withStore = (change: (store: Store) => Partial<Store>) => ({
  store: (open: () => Store): Store => {
    const store = open()
    return { ...store, ...change(store) }
  },
})
const withDeps = (change: (deps: Deps) => Partial<Deps>) => ({
  deps: (deps: Deps): Deps => ({ ...deps, ...change(deps) }),
})

const endsTurn = ({ events }: Change): boolean => events.some(({ type }) => type === 'turn.ended')

const TROUBLES = {
  'a tool that ignores its signal': (hang: () => Promise<never>) => ({
    tool: { name: 'some_tool', description: '', input: { type: 'object' }, effect: 'pure', run: hang } satisfies Tool,
  }),
  'tools that are never listed': (hang: () => Promise<never>) => withDeps(() => ({ tools: hang })),
  'a model that ignores its signal': (hang: () => Promise<never>) =>
    withDeps(({ model }) => ({
      model: (key) => ({ ...model(key), language: { ...model(key).language, doStream: hang } }),
    })),
  'a workspace that is never found': (hang: () => Promise<never>) => withDeps(() => ({ workspace: hang })),
  'a store that does not commit': (hang: () => Promise<never>) =>
    withStore((store) => ({
      commit: (change) => (endsTurn(change) ? hang() : store.commit(change)),
    })),
  'a store that does not close': (hang: () => Promise<never>) =>
    withStore((store) => ({
      commit(change) {
        if (endsTurn(change)) void hang()
        return store.commit(change)
      },
      close: () => NEVER,
    })),
}

for (const [name, plant] of Object.entries(TROUBLES)) {
  verifies(['COO-10', 'REL-5', 'REL-8'], `close() resolves in time in spite of ${name}`, async () => {
    const { segno } = await inTrouble(plant)
    const asked = performance.now()
    await segno.close()
    expect(performance.now() - asked).toBeLessThan(DRAIN_MS + MORE_MS)
  })
}

verifies('COO-10', 'a round that was left behind writes nothing any more when it comes back', async () => {
  const late = Promise.withResolvers<void>()
  const written = Promise.withResolvers<unknown>()
  const { segno, home, sessionId, requestId } = await inTrouble((hang) =>
    withStore((store) => ({
      async commit(change) {
        if (!endsTurn(change)) return store.commit(change)
        void hang()
        await late.promise
        const commit = store.commit(change)
        written.resolve(commit.catch((error: unknown) => error))
        return commit
      },
    })),
  )
  const { seq: before } = await segno.sessions.get(LOCAL_OWNER, sessionId)
  await segno.close()
  late.resolve()
  expect(await written.promise).toMatchObject({ code: 'SHUTTING_DOWN' })
  const again = await openSegno({ home, model: { otherwise: { text: 'There.' } } })
  expect(await again.completion(sessionId, requestId)).toMatchObject({ finishReason: 'complete', content: 'There.' })
  const events = await again.sessions.events(LOCAL_OWNER, sessionId)
  expect(events[before]).toMatchObject({ type: 'round.resumed', data: { reason: 'takeover' } })
  expect((await again.check()).findings).toEqual([])
})
