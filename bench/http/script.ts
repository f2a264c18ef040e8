import type { Script } from '../../src/model/index.ts'
import { script as inProcess } from '../workloads.ts'

const usage = { input: 100, output: 100 }

/** What W1 says, at the speed of a model: a delta every 10 ms. */
export const PACED = { message: 'play paced', deltas: 200, everyMs: 10 } as const

/** 64,000 characters in a quarter of a second: a busy session. */
export const LONG = 'play long'

/** 320,000 characters at once. */
export const MUCH = 'play much'

/** Calls the workflow `later`, whose result comes later. */
export const LATER = 'play later'

/** What both servers play. */
export const script: Script = {
  ...inProcess,
  scenarios: [
    ...(inProcess.scenarios ?? []),
    {
      when: PACED.message,
      turns: [{ text: 'word'.repeat(PACED.deltas), deltaChars: 4, delayMs: PACED.everyMs, usage }],
    },
    { when: LONG, turns: [{ text: 'many words. '.repeat(5333), deltaChars: 320, delayMs: 1, usage }] },
    { when: MUCH, turns: [{ text: 'many words. '.repeat(26_666), deltaChars: 3200, usage }] },
    {
      when: LATER,
      turns: [
        { calls: [{ name: 'workflow_later', args: { of: 'one line' } }], usage },
        { text: 'Done.', usage },
      ],
    },
  ],
}
