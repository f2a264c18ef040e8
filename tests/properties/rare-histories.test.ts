import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Store } from '../../src/store/index.ts'
import { ofType } from './invariants/round-logs.ts'
import type { Plan } from './plan.ts'
import { play } from './play.ts'
import { propertyStore } from './property-store.ts'
import { Stage } from './stage.ts'

let store: Store

beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] })
  store = await propertyStore()
})

afterAll(async () => {
  vi.useRealTimers()
  await store.close()
})

const round: Plan['rounds'][number] = {
  protocol: 'unified',
  mode: 'act',
  toolResultsAs: 'system',
  attended: true,
  permissions: ['*'],
  limits: {},
  onBusy: 'queue',
  on: 0,
  reconcile: false,
  file: 0,
  params: {},
}

async function played(plan: Partial<Plan>): Promise<Stage> {
  const stage = new Stage(store, {
    rounds: [round],
    turns: [{ say: [{ kind: 'text', text: 'hi' }], end: 'done' }],
    runs: ['ok'],
    rests: ['approve'],
    acts: [],
    crashes: [],
    diskFull: [],
    toolboxes: ['usual'],
    window: { messages: 50, tokens: 100_000 },
    compact: 0,
    summaries: ['good'],
    words: [{ prompt: 0, preferences: 0 }],
    ...plan,
  })
  await play(stage)
  return stage
}

test('what was accepted beside a message that could not be stored is folded in by the next tick', async () => {
  const acts = [
    { at: 7, act: 'rename', pick: 0 },
    { at: 7, act: 'queue', pick: 0 },
  ] as const
  const stage = await played({ acts, diskFull: [2] })
  expect(stage.faults).toEqual([])
  const [log] = stage.logs.values()
  expect(log?.map(({ type }) => type)).toContain('session.changed')
})

/** A message arrives while the end of a round and the deletion of its session are being stored. */
test('who writes to a session that is just being deleted is told that it is not there', async () => {
  const again = { after: 1, how: 'lost' } as const
  const stage = await played({
    turns: [{ say: [{ kind: 'call', name: 'mail', args: '{"x":1}' }], end: 'done' }],
    acts: [
      { at: 2, act: 'rename', pick: 0 },
      { at: 11, act: 'delete', pick: 0 },
      // While what ends the round after the third takeover is stored, with the deletion behind it.
      { at: 18, act: 'queue', pick: 0 },
    ],
    crashes: [{ after: 3, how: 'lost' }, again, again, again, again],
  })
  expect(stage.faults).toEqual([])
})

/** Without the tool no default is filled into the signatures that are recorded; the next process knows the tool. */
test('a call recorded while its tool was not there is not carried out twice', async () => {
  const mail = { kind: 'call', name: 'mail', args: '{"x":2}' } as const
  const send = { kind: 'call', name: 'send', args: '{"x":1}' } as const
  const stage = await played({
    turns: [
      { say: [send, mail, mail], end: 'done' },
      { say: [], end: 'done' },
    ],
    runs: ['crash', 'ok'],
    toolboxes: ['smaller', 'usual'],
  })
  const [log] = stage.logs.values()
  expect(ofType(log ?? [], 'tool.started')).toHaveLength(2)
})
