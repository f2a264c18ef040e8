import { join } from 'node:path'
import { expect, test } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import type { Store } from '../../../src/store/index.ts'
import { openStoreOf } from '../../support/store-under-test.ts'
import { openSqliteStore } from '../../../src/store/sqlite/index.ts'
import { probe } from '../../support/probe-tool.ts'
import { segnoUnderTest, type Opening, type SegnoUnderTest } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'

const NEVER = 1_000_000
const opening: Opening = {
  tools: [probe('look')],
  script: {
    scenarios: [{ when: '[147]$', turns: [{ calls: [{ name: 'look', args: { n: 1 } }] }, { text: 'Seen.' }] }],
    otherwise: { text: 'Echo {{message}}' },
  },
}

/** What a model was told of the conversation, without what is made up anew each time. */
const conversation = ({ prompt }: SegnoUnderTest['requests'][number]): string =>
  JSON.stringify(prompt.filter(({ role }) => role !== 'system')).replaceAll(/[\da-f-]{16,36}|fc_\d+_\d+/g, 'id')

/** Says something `rounds` times, with whatever else shapes a conversation in between; what the model was given. */
async function talk(segno: SegnoUnderTest, rounds: number, between: () => Promise<void>): Promise<string[]> {
  const seen: string[] = []
  let sessionId = segno.sessionId
  const sessions = () => segno.segno.sessions
  for (let n = 1; n <= rounds; n++) {
    const { events } = await segno.ask(`Message ${n}`, { sessionId })
    seen.push(...segno.requests.map(conversation))
    if (n === 7) await sessions().deleteMessage(LOCAL_OWNER, sessionId, events[1]?.id ?? '')
    if (n === 9) await sessions().clear(LOCAL_OWNER, sessionId)
    if (n === 14) sessionId = (await sessions().fork(LOCAL_OWNER, sessionId, events[2]?.seq ?? 0)).id
    await between()
  }
  return seen
}

verifies(
  'REL-9',
  'a model is given the same whether the session was opened anew or not, with snapshots or without',
  async () => {
    const given = []
    for (const SNAPSHOT_EVENTS of [NEVER, 1, 20]) {
      const segno = await segnoUnderTest({ ...opening, limits: { HISTORY_MESSAGES: 10, SNAPSHOT_EVENTS } })
      // What was asked is remembered until Segno is opened anew: then it is the request of one round each time.
      given.push(await talk(segno, 20, () => segno.reopen()))
      expect((await segno.segno.check()).findings).toEqual([])
    }
    const stays = await segnoUnderTest({ ...opening, limits: { HISTORY_MESSAGES: 10, SNAPSHOT_EVENTS: NEVER } })
    await talk(stays, 20, async () => {})
    given.push(stays.requests.map(conversation))
    for (const one of given.slice(1)) expect(one).toEqual(given[0])
  },
)

/** Does something with the database while Segno is not there. */
async function aside<T>({ home }: SegnoUnderTest, work: (store: Store) => Promise<T>, file = 'segno.db'): Promise<T> {
  const store =
    file === 'segno.db' ? await openStoreOf(home) : openSqliteStore({ file: join(home, file), durability: 'normal' })
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

async function withSnapshots(): Promise<SegnoUnderTest> {
  const segno = await segnoUnderTest({ ...opening, limits: { SNAPSHOT_EVENTS: 1 } })
  for (let n = 1; n <= 3; n++) await segno.ask(`Message ${n}`)
  return segno
}

test('a snapshot that says something else than the log is found by a check; one that cannot be read does no harm', async () => {
  const segno = await withSnapshots()
  await segno.segno.close()
  const last = await aside(segno, (store) => store.snapshots(0, 100).then((all) => all.at(-1)))
  if (!last) throw new Error('there is no snapshot')
  for (const body of ['{"seq":', last.body.replace('New conversation', 'Old conversation')]) {
    await aside(segno, (store) => store.putSnapshot(segno.sessionId, { ...last, body }))
    await segno.reopen()
    const finding = `session ${segno.sessionId}: the snapshot at event ${last.seq} differs from the log`
    expect(await segno.segno.check()).toMatchObject({ ok: false, findings: [finding] })
    const answered = await segno.segno.fetch(new Request('http://127.0.0.1/api/db/check'))
    expect(await answered.json()).toMatchObject({ ok: false })
    expect((await segno.ask('Message 2')).finishReason).toBe('complete')
    await segno.segno.close()
  }
  await aside(segno, (store) => store.putSnapshot(segno.sessionId, last))
  await aside(segno, (store) => store.putSnapshot(segno.sessionId, { ...last, seq: 2, version: 999, body: '?' }))
  await segno.reopen()
  expect((await segno.segno.check()).findings).toEqual([])
})

test('a backup has no snapshots, and goes on without them', async () => {
  const segno = await withSnapshots()
  await segno.segno.backup(join(segno.home, 'copy.db'))
  await segno.segno.close()
  expect(await aside(segno, (store) => store.snapshots(0, 100))).not.toEqual([])
  await aside(
    segno,
    async (store) => {
      expect(await store.snapshots(0, 100)).toEqual([])
      expect((await store.check()).findings).toEqual([])
      expect((await store.session(segno.sessionId))?.seq).toBeGreaterThan(10)
    },
    'copy.db',
  )
  await segno.reopen()
})
