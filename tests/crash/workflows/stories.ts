import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import { hasEnded } from '../../../src/contract/invocation.ts'
import type { EffectClass } from '../../../src/contract/outcome.ts'
import {
  speak,
  invoke,
  handedOver,
  report,
  end,
  makeHook,
  callHook,
  makeTrigger,
  makeWebhook,
  reportEvent,
  makeSchedule,
  comeTo,
  cancel,
  began,
  spoken,
  type Stage,
} from './acts.ts'
import type { Conduct } from './receiver.ts'
import { until, WAIT_MS, type Things, type World } from './world.ts'

export interface Story {
  readonly effects: readonly EffectClass[]
  /** by default `http` */
  readonly engine?: 'temporal'
  /** what the other side does with what it is given to do */
  readonly conduct: Conduct
  /** everywhere it is killed, one at a time */
  readonly points: readonly string[]
  readonly armsLater?: true
  /** how its runs end if the process does not die; by default `success` */
  readonly ends?: 'unknown' | 'failure'
  /** its result is reported, whoever was killed before */
  readonly isReported?: true
  make?(world: World, things: Things): Promise<Readonly<Record<string, string>>>
  live(stage: Stage): Promise<void>
}

const EFFECTS: readonly EffectClass[] = ['pure', 'keyed', 'unsafe']
const around = (...names: readonly string[]): string[] =>
  names.flatMap((name) => [`before ${name}`, `inside ${name}`, `after ${name}`])
const said = (name: string): string => `after ${name} is acknowledged`

const HANDED_OVER = [...around('the run', 'the attempt'), 'during the request']
const CALLED = [...around('the message', 'the start of the call'), ...HANDED_OVER]
const ANSWERED = around('the result of the call', 'the end of the round')

export const STORIES = {
  'a call that is answered at once': {
    effects: EFFECTS,
    conduct: 'answers',
    points: [...CALLED, said('what is said'), ...around('the result', 'that it was told'), ...ANSWERED],
    async live(stage) {
      await speak(stage)
      await spoken(stage)
    },
  },
  'a call that is answered later': {
    effects: EFFECTS,
    conduct: 'begins',
    isReported: true,
    points: [
      ...CALLED,
      ...around('that it runs', 'that the call is submitted', 'the result'),
      said('its result'),
      ...around('the answer to the call', 'that it was told'),
      ...ANSWERED,
    ],
    async live(stage) {
      await speak(stage)
      await report(stage, 'token')
    },
  },
  'a call whose result comes too late': {
    effects: ['keyed', 'unsafe'],
    conduct: 'begins',
    isReported: true,
    armsLater: true,
    points: [
      ...around('the result'),
      said('its result'),
      ...around('the answer to the call', 'what came late', 'that it was told'),
    ],
    async live(stage) {
      await speak(stage)
      await handedOver(stage)
      await stage.step('that its time is over', async () => stage.world.jump(WAIT_MS + 1))
      await spoken(stage)
      await until(stage.world, async () =>
        (await stage.world.runs()).every(({ told, ...run }) => told === true && hasEnded(run)),
      )
      stage.arm()
      await report(stage, 'signature')
    },
  },
  'a run that somebody wants': {
    effects: EFFECTS,
    conduct: 'answers',
    points: [...HANDED_OVER, said('what is wanted'), ...around('the result')],
    live: invoke,
  },
  'a run whose result is reported': {
    effects: ['keyed', 'unsafe'],
    conduct: 'begins',
    isReported: true,
    points: [...HANDED_OVER, ...around('that it runs', 'the result'), said('its result')],
    async live(stage) {
      await invoke(stage)
      await report(stage, 'signature')
    },
  },
  'a run whose answer is lost': {
    effects: ['pure', 'keyed'],
    conduct: 'breaks',
    points: [
      ...around('that it is tried again', 'the second attempt'),
      'during the second request',
      ...around('the result'),
    ],
    live: invoke,
  },
  'a run that is refused for now': {
    effects: ['keyed', 'unsafe'],
    conduct: 'busy',
    points: [
      'during the request',
      ...around('that it is tried again', 'the second attempt'),
      'during the second request',
      ...around('the result'),
    ],
    live: invoke,
  },
  'a run that is cancelled': {
    effects: ['keyed', 'unsafe'],
    conduct: 'begins',
    armsLater: true,
    ends: 'unknown',
    points: [...around('the result'), said('that it is cancelled')],
    live: cancel,
  },
  'a call that can be looked up': {
    effects: ['verifiable'],
    engine: 'temporal',
    conduct: 'begins',
    points: [
      ...CALLED,
      ...around('that it runs', 'that the call is submitted'),
      said('its end'),
      ...around('the result', 'the answer to the call', 'that it was told'),
      ...ANSWERED,
    ],
    async live(stage) {
      await speak(stage)
      await handedOver(stage)
      await end(stage)
      await spoken(stage)
    },
  },
  'a run that can be looked up': {
    effects: ['verifiable', 'unsafe'],
    engine: 'temporal',
    conduct: 'answers',
    points: [...HANDED_OVER, said('what is wanted'), ...around('that it runs', 'the result')],
    live: invoke,
  },
  'a run that its engine can stop': {
    effects: ['verifiable', 'unsafe'],
    engine: 'temporal',
    conduct: 'begins',
    armsLater: true,
    ends: 'failure',
    points: [...around('the result'), said('that it is cancelled')],
    live: cancel,
  },
  'an event that starts a workflow': {
    effects: ['keyed', 'unsafe'],
    conduct: 'answers',
    points: [
      ...around('the event'),
      said('what happened'),
      ...HANDED_OVER,
      ...around('that the event was told', 'the result'),
    ],
    make: (world, things) => makeTrigger(world, 'order.paid', things),
    async live(stage) {
      await reportEvent(stage)
      await began(stage, 1)
    },
  },
  'an event that a webhook is told': {
    effects: ['keyed'],
    conduct: 'answers',
    points: [
      ...around('the event'),
      said('what happened'),
      ...around('the delivery', 'the attempt to deliver'),
      'during the delivery',
      ...around('that the event was told', 'that it arrived'),
    ],
    make: (world) => makeWebhook(world, 'answers', 'order.paid'),
    async live(stage) {
      await reportEvent(stage)
      await began(stage, 1)
    },
  },
  'a delivery that is sent again': {
    effects: ['keyed'],
    conduct: 'answers',
    points: [
      ...around('that it is delivered again', 'the second attempt to deliver'),
      'during the second delivery',
      ...around('that it arrived'),
    ],
    make: (world) => makeWebhook(world, 'breaks', 'order.paid'),
    async live(stage) {
      await reportEvent(stage)
      await began(stage, 1)
    },
  },
  'what is said, of which automations are told': {
    effects: ['keyed'],
    conduct: 'answers',
    points: [...around('the message', 'the end of the round', 'the delivery', 'that the event was told')],
    make: (world) => makeWebhook(world, 'answers', 'chat.message.created'),
    async live(stage) {
      const { step, things, world } = stage
      await step('what is said', () =>
        world.segno.rounds.send(LOCAL_OWNER, things.sessionId, 'Are you there?', { messageId: 'there' }),
      )
      await spoken(stage)
      await began(stage, 2)
    },
  },
  'a schedule that starts a workflow': {
    effects: ['keyed', 'unsafe'],
    conduct: 'answers',
    points: [...HANDED_OVER, ...around('the next time', 'the result')],
    make: (world, things) => makeSchedule(world, undefined, things),
    async live(stage) {
      comeTo(stage)
      await began(stage, 1)
    },
  },
  'a schedule that says something': {
    effects: ['keyed'],
    conduct: 'answers',
    points: around('the message', 'the next time', 'the end of the round'),
    make: (world, things) => makeSchedule(world, { content: 'Is there news?' }, things),
    async live(stage) {
      comeTo(stage)
      await spoken(stage)
    },
  },
  'a hook that starts a workflow': {
    effects: ['keyed', 'unsafe'],
    conduct: 'answers',
    points: [...around('the run'), said('what came'), ...around('the attempt', 'the result')],
    make: (world, things) => makeHook(world, 'workflow', things),
    live: callHook,
  },
  'a hook that reports an event': {
    effects: ['keyed'],
    conduct: 'answers',
    points: [...around('the event'), said('what came'), ...around('the run', 'that the event was told')],
    async make(world, things) {
      await makeTrigger(world, 'order.paid', things)
      return makeHook(world, 'event', things)
    },
    async live(stage) {
      await callHook(stage)
      await began(stage, 1)
    },
  },
  'a hook that says something': {
    effects: ['keyed'],
    conduct: 'answers',
    points: [...around('the message'), said('what came'), ...around('the end of the round')],
    make: (world, things) => makeHook(world, 'message', things),
    async live(stage) {
      await callHook(stage)
      await spoken(stage)
    },
  },
} as const satisfies Record<string, Story>

export type StoryName = keyof typeof STORIES
