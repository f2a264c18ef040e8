import type { Script } from '../../src/model/index.ts'
import { script as inProcess } from '../workloads.ts'

const usage = { input: 100, output: 100 }

/** What W1 says, at the speed of a model: a delta every 10 ms. */
export const PACED = { message: 'play paced', deltas: 200, everyMs: 10 } as const

/** 64,000 characters in a third of a second: a busy session. */
export const LONG = 'play long'

/** What both servers play. */
export const script: Script = {
  ...inProcess,
  scenarios: [
    ...(inProcess.scenarios ?? []),
    {
      when: PACED.message,
      turns: [{ text: 'word'.repeat(PACED.deltas), deltaChars: 4, delayMs: PACED.everyMs, usage }],
    },
    { when: LONG, turns: [{ text: 'many words. '.repeat(5334), deltaChars: 320, delayMs: 1, usage }] },
  ],
}
