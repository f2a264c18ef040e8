import { compose } from '../../src/app.ts'
import { LOCAL_OWNER } from '../../src/contract/actor.ts'
import type { Purpose } from '../../src/contract/event.ts'
import type { Deps } from '../../src/round/index.ts'
import type { Segno } from '../../src/segno.ts'
import type { Change, Store } from '../../src/store/index.ts'
import { storeSettings } from '../support/store-under-test.ts'

/** What Segno asks a model for itself. */
export const WANTS = ['summary in a round', 'summary on request', 'summary after a refusal', 'title'] as const
export type Want = (typeof WANTS)[number]

/** Where the process is killed. */
export const POINTS = [
  'before it is asked',
  'when it is asked',
  'in its answer',
  'before its answer is stored',
  'after its answer is stored',
] as const
export const JOB_POINTS = [
  'before the job is handed over',
  'after the job is handed over',
  'before the job is finished',
] as const
export type Point = (typeof POINTS)[number] | (typeof JOB_POINTS)[number]

export const TOKENS = 1_000_000
export const USAGE = { input: 90, output: 10 }
const PURPOSE: { readonly [W in Want]: Purpose } = {
  'summary in a round': 'summary',
  'summary on request': 'summary',
  'summary after a refusal': 'summary',
  title: 'title',
}
const FILLER = 'The quick brown fox jumps over the lazy dog, again and again. '.repeat(8)
/** Long enough for a summary after twelve others. */
const LONG = `Message 13. ${FILLER.repeat(8)}`

/** A Segno that asks models for itself, in a home; `hit` is called at each point. */
export async function openOwn(
  home: string,
  want: Want,
  hit: (point: Point) => void,
  now = () => Date.now(),
): Promise<Segno> {
  return compose(
    {
      home,
      env: { ...(await storeSettings(home)), ...(want === 'title' && { SEGNO_TITLE_MODEL: 'scripted' }) },
      builtInTools: false,
      limits: { RETRY_BASE_MS: 1, DRAIN_MS: 50, BREAKER_FAILURES: 0, SNAPSHOT_EVENTS: 1 },
      model: {
        scenarios: [
          { when: '', purpose: 'summary', turns: [{ text: 'They talked about foxes.', usage: USAGE }] },
          { when: '', purpose: 'title', turns: [{ text: 'Foxes at dawn', usage: USAGE }] },
          {
            when: '^Refuse',
            turns: [
              { fault: { kind: 'error', status: 400, code: 'context_length_exceeded' } },
              { text: 'Here you are.', usage: USAGE },
            ],
          },
        ],
        otherwise: { text: `Noted. ${FILLER}`, usage: USAGE },
      },
    },
    {
      clock: { now },
      store: (open) => watched(open(), PURPOSE[want], hit),
      deps: (deps) => ({ ...deps, model: (key) => listening(deps, key, PURPOSE[want], hit) }),
    },
  )
}

function watched(store: Store, purpose: Purpose, hit: (point: Point) => void): Store {
  const has = ({ events }: Change, type: 'model.asked' | 'model.answered'): boolean =>
    events.some((event) => event.type === type && event.data.purpose === purpose)
  return {
    ...store,
    async commit(change) {
      if (has(change, 'model.asked')) hit('before it is asked')
      if (has(change, 'model.answered')) hit('before its answer is stored')
      const result = await store.commit(change)
      if (has(change, 'model.answered')) hit('after its answer is stored')
      return result
    },
    async putInput(input, ...more) {
      if (input.body.kind === 'title') hit('before the job is handed over')
      const result = await store.putInput(input, ...more)
      if (input.body.kind === 'title') hit('after the job is handed over')
      return result
    },
    async finishJob(id) {
      hit('before the job is finished')
      return store.finishJob(id)
    },
  }
}

function listening(deps: Deps, key: string, purpose: Purpose, hit: (point: Point) => void) {
  const model = deps.model(key)
  const { language } = model
  const doStream: typeof language.doStream = async (options) => {
    const isOwn = options.providerOptions?.['segno']?.['purpose'] === purpose
    if (isOwn) hit('when it is asked')
    const answer = await language.doStream(options)
    if (isOwn) hit('in its answer')
    return answer
  }
  return { ...model, window: 8000, maxOutput: 1000, language: { ...language, doStream } }
}

/** Has Segno ask for something; where it comes from a round, its id. */
export async function provoke(segno: Segno, sessionId: string, want: Want): Promise<string> {
  const say = async (words: string): Promise<string> => {
    const { requestId } = await segno.rounds.send(LOCAL_OWNER, sessionId, words)
    await segno.completion(sessionId, requestId)
    return requestId
  }
  switch (want) {
    case 'title':
      return say('Tell me about foxes.')
    case 'summary in a round':
      for (let n = 1; n <= 12; n += 1) await say(`Message ${n}. ${FILLER}`)
      return say(LONG)
    case 'summary after a refusal':
      for (let n = 1; n <= 4; n += 1) await say(`Message ${n}. ${FILLER}`)
      return say('Refuse this.')
    case 'summary on request':
      for (let n = 1; n <= 4; n += 1) await say(`Message ${n}. ${FILLER}`)
      await segno.sessions.compact(LOCAL_OWNER, sessionId)
      return ''
  }
}
