import { expect } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import { Problem } from '../../../src/contract/problem.ts'
import type { Store } from '../../../src/store/index.ts'
import { probe } from '../../support/probe-tool.ts'
import { verifies } from '../../support/verifies.ts'
import { gateTool } from '../library/support/gate-tool.ts'
import { openSegno } from '../library/support/open-segno.ts'
import { problemOf } from '../library/support/problem-of.ts'

const HOLDING = [{ calls: [{ name: 'hold' }, { name: 'mail' }] }, { text: 'There.' }]

/** Segno with its store at hand, to play another process that takes over a session. */
async function withStore(change: (store: Store) => Store = (store) => store) {
  const hold = gateTool('hold', { effect: 'unsafe' })
  const mail = probe('mail', { effect: 'unsafe' })
  let held: Store | undefined
  const segno = await openSegno(
    { model: { scenarios: [{ when: '^hold', turns: HOLDING }] }, tools: [hold, mail] },
    { store: (open) => (held = change(open())) },
  )
  const { id } = await segno.createSession()
  return { segno, hold, mail, id, store: held as Store }
}

verifies('REL-3', 'an owner who lost its session stores nothing more and starts nothing more', async () => {
  // Who took it over also works on it: this process does not look for it again.
  const { segno, hold, mail, id, store } = await withStore((store) => ({ ...store, unfinished: async () => [] }))
  await segno.streamRequest(id, 'hold')
  await hold.entered
  await store.claim(id)
  const before = await store.read(id)
  hold.open()
  await expect.poll(() => segno.stats().running).toBe(0)
  expect(await store.read(id)).toEqual(before)
  expect(mail.runs).toHaveLength(0)
})

verifies(
  'REL-3',
  'a slow call of an owner who lost its session is told to stop as soon as that is found out',
  async () => {
    const stopped = Promise.withResolvers<void>()
    let taken: () => Promise<unknown> = async () => {}
    // Its own time is not what stops it.
    const look = probe('look', {
      timeoutMs: 3_600_000,
      async run(_args, { signal }) {
        await taken()
        signal.addEventListener('abort', () => stopped.resolve())
        await stopped.promise
        return 'too late'
      },
    })
    let held: Store | undefined
    const segno = await openSegno(
      {
        model: { scenarios: [{ when: '', turns: [{ calls: [{ name: 'look' }] }, { text: 'Seen.' }] }] },
        tools: [look],
        limits: { TOOL_MAX_MS: 3_600_000 },
      },
      { store: (open) => (held = { ...open(), unfinished: async () => [] }) },
    )
    const { id } = await segno.createSession()
    taken = async () => held?.claim(id)
    await segno.streamRequest(id, 'Go.')
    await stopped.promise
    expect((await held?.read(id))?.some(({ type }) => type === 'tool.started')).toBe(false)
  },
)

verifies(['REL-3', 'REL-5'], 'a round that lost its owner is found and gone on with, without a restart', async () => {
  const { segno, hold, mail, id, store } = await withStore()
  const lost = await segno.streamRequest(id, 'hold')
  await hold.entered
  await store.claim(id)
  hold.open()
  expect(await lost.completion).toMatchObject({ finishReason: 'complete' })
  expect(hold.runs).toHaveLength(1)
  expect(mail.runs).toHaveLength(1)
})

verifies(['REL-3', 'REL-1'], 'the next message finds the round that was lost and ends it before its own', async () => {
  const { segno, hold, mail, id, store } = await withStore()
  const lost = await segno.streamRequest(id, 'hold')
  await hold.entered
  await store.claim(id)
  hold.open()
  await expect.poll(() => segno.stats().live).toBe(0)
  const next = await segno.streamRequest(id, 'hello')
  expect(await next.completion).toMatchObject({ finishReason: 'complete', content: 'Echo: hello' })
  expect(await lost.completion).toMatchObject({
    finishReason: 'complete',
    calls: [
      { name: 'hold', outcome: 'unknown' },
      { name: 'mail', outcome: 'ok' },
    ],
  })
  expect(hold.runs).toHaveLength(1)
  expect(mail.runs).toHaveLength(1)
})

const unwritable = (): Problem => new Problem('STORE_UNAVAILABLE', 'Cannot write: the disk is full.')

verifies(['REL-1', 'REL-3'], 'a message that could not be stored is refused, and is not answered later', async () => {
  let broken = true
  const { segno, id } = await withStore((store) => ({
    ...store,
    commit: (change) => (broken && !change.create ? Promise.reject(unwritable()) : store.commit(change)),
  }))
  expect((await problemOf(segno.streamRequest(id, 'lost'))).code).toBe('STORE_UNAVAILABLE')
  broken = false
  expect(await (await segno.streamRequest(id, 'kept')).completion).toMatchObject({ content: 'Echo: kept' })
  expect(JSON.stringify(await segno.sessions.events(LOCAL_OWNER, id))).not.toContain('lost')
})

verifies(['REL-1', 'REL-5'], 'a message queued behind one that could not be stored is answered', async () => {
  let broken = true
  const { segno, id } = await withStore((store) => ({
    ...store,
    commit: (change) => (broken && !change.create ? Promise.reject(unwritable()) : store.commit(change)),
  }))
  const refused = problemOf(segno.streamRequest(id, 'lost'))
  const queued = segno.streamRequest(id, 'kept')
  expect((await refused).code).toBe('STORE_UNAVAILABLE')
  broken = false
  expect(await (await queued).completion).toMatchObject({ finishReason: 'complete', content: 'Echo: kept' })
})
