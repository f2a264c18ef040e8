import { compose } from '../../src/app.ts'
import type { Change, Store } from '../../src/store/index.ts'
import type { Segno } from '../../src/segno.ts'
import { storeSettings } from '../support/store-under-test.ts'

export const FORMS = ['tag', 'tool'] as const
export type Form = (typeof FORMS)[number]

/** Where the process is killed. */
export const POINTS = [
  'before it is said',
  'after it is said',
  'before the first memory is stored',
  'after the first memory is stored',
  'after the second memory is stored',
  'before the end of it is stored',
] as const
export type Point = (typeof POINTS)[number]

export const FACTS = ['Likes tea', 'Has a dog'] as const

/** A Segno whose model wants two facts remembered; `hit` is called at each point. */
export async function openRemembering(
  home: string,
  form: Form,
  hit: (point: Point) => void,
  now = () => Date.now(),
): Promise<Segno> {
  const calls = FACTS.map((content) => ({ name: 'remember', args: { content } }))
  const text = `Noted. ${FACTS.map((fact) => `[REMEMBER: ${fact}]`).join(' ')}`
  const turns = form === 'tag' ? [{ text }] : [{ calls }, { text: 'Noted.' }]
  return compose(
    {
      home,
      env: await storeSettings(home),
      limits: { RETRY_BASE_MS: 1, DRAIN_MS: 50 },
      model: { scenarios: [{ when: '', turns }] },
    },
    { clock: { now }, store: (open) => watched(open(), form, hit) },
  )
}

function watched(store: Store, form: Form, hit: (point: Point) => void): Store {
  let stored = 0
  const says = ({ events }: Change): boolean =>
    events.some(
      ({ type, data }) =>
        type === 'message.assistant' && ('remembers' in data || form === 'tool') && !hasAnswered(data),
    )
  return {
    ...store,
    async commit(change) {
      const isSaid = says(change)
      if (isSaid) hit('before it is said')
      if (form === 'tool' && stored === 2) hit('before the end of it is stored')
      const committed = await store.commit(change)
      if (isSaid) hit('after it is said')
      return committed
    },
    async putMemory(...given) {
      if (stored === 0) hit('before the first memory is stored')
      const memory = await store.putMemory(...given)
      stored += 1
      hit(stored === 1 ? 'after the first memory is stored' : 'after the second memory is stored')
      return memory
    },
    async finishJob(id) {
      hit('before the end of it is stored')
      return store.finishJob(id)
    },
    // What was told to others stays, so that it can be counted.
    removeOutbox: () => Promise.resolve(),
  }
}

const hasAnswered = (data: object): boolean => 'final' in data && data.final === true && !('remembers' in data)
