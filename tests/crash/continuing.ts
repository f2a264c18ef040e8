import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { compose } from '../../src/app.ts'
import type { NewEvent } from '../../src/contract/event.ts'
import type { Segno } from '../../src/segno.ts'
import type { Store } from '../../src/store/index.ts'
import { probe, text } from '../support/probe-tool.ts'
import { storeSettings } from '../support/store-under-test.ts'

/** Where the process is killed that continues a round. */
export const POINTS = [
  'after its message is stored',
  'before its start is stored',
  'after its start is stored',
  'after a call of it has started',
  'before its end is stored',
] as const
export type Point = (typeof POINTS)[number]

const PEOPLE = ['ann', 'bob', 'cid', 'dan']
const letters = (home: string): string => join(home, 'letters.txt')

/** Whom a home has written to, once for each time. */
export const written = (home: string): string[] =>
  existsSync(letters(home)) ? readFileSync(letters(home), 'utf8').trim().split('\n') : []

/**
 * A Segno whose rounds write to two of four people and then stop; `hit` is called at each point, and with `isHeld` a
 * round of `Hold` never ends, so that messages wait.
 */
export async function openContinuing(home: string, isHeld: boolean, hit: (point: Point) => void): Promise<Segno> {
  const mail = probe('mail', {
    effect: 'unsafe',
    async run({ to }) {
      appendFileSync(letters(home), `${text(to)}\n`)
      return 'sent'
    },
  })
  const hold = probe('hold', {
    run: (_, { signal }) =>
      isHeld ? new Promise((resolve) => signal.addEventListener('abort', () => resolve('stopped'))) : 'not held',
  })
  return compose(
    {
      home,
      env: await storeSettings(home),
      builtInTools: false,
      tools: [mail, hold],
      limits: { MAX_TOOL_CALLS: 2, MAX_CYCLES: 2, MAX_FRUITLESS: 9, MAX_ITERATIONS: 9, MAX_ROUNDS: 1, DRAIN_MS: 50 },
      model: {
        scenarios: [
          { when: '^Hold', turns: [{ calls: [{ name: 'hold' }] }, { text: 'Held.' }] },
          {
            when: '',
            turns: [...PEOPLE.map((to) => ({ calls: [{ name: 'mail', args: { to } }] })), { text: 'Done.' }],
          },
        ],
      },
    },
    { store: (open) => watched(open(), hit) },
  )
}

function watched(store: Store, hit: (point: Point) => void): Store {
  let continuing: string | undefined
  const has = (events: readonly NewEvent[], type: NewEvent['type']): boolean =>
    continuing !== undefined && events.some((event) => event.type === type && event.requestId === continuing)
  return {
    ...store,
    async putInput(input, ...more) {
      const result = await store.putInput(input, ...more)
      if (input.body.kind === 'message' && input.body.continues !== undefined) hit('after its message is stored')
      return result
    },
    async commit(change) {
      const { events } = change
      for (const { type, data } of events)
        if (type === 'round.started' && data.continues !== undefined) continuing = data.requestId
      if (has(events, 'round.started')) hit('before its start is stored')
      if (has(events, 'round.ended')) hit('before its end is stored')
      const result = await store.commit(change)
      if (has(events, 'round.started')) hit('after its start is stored')
      if (has(events, 'tool.started')) hit('after a call of it has started')
      return result
    },
  }
}
