import type { Script } from './script.ts'
import { story, tour } from './tour.ts'

/** About as fast as a model speaks, so that the stream can be seen. */
const pace = { delayMs: 10, deltaChars: 6 }

/** What the scripted model says when nobody gave it a script: enough to see streaming and tools without a key. */
export const defaultScript: Script = {
  scenarios: [
    tour,
    story,
    {
      when: "what time is it|what('s| is) the (time|date)|what day is it",
      turns: [
        { ...pace, text: 'Let me look at the clock.', calls: [{ name: 'datetime', args: {} }] },
        { ...pace, text: 'The clock is in the datetime call above. I play a script, so I cannot read it out to you.' },
      ],
    },
    {
      when: '17 ?[*x×] ?23',
      turns: [
        { ...pace, text: 'Let me work that out.', calls: [{ name: 'calculator', args: { expression: '17 * 23' } }] },
        { ...pace, text: '17 × 23 is 391.' },
      ],
    },
    {
      when: 'fetch .*lodash',
      turns: [
        {
          ...pace,
          text: 'Looking it up.',
          calls: [{ name: 'web_fetch', args: { url: 'https://www.npmjs.com/package/lodash' } }],
        },
        {
          ...pace,
          text: 'Lodash is a utility library for JavaScript. More about its page is in the web_fetch call above.',
        },
      ],
    },
  ],
  otherwise: {
    // Not at that pace: whoever says hello from a program wants to be done.
    deltaChars: pace.deltaChars,
    text:
      'You said: {{message}}\n\n' +
      'I am the scripted model: I answer from a script and need no key. Say `tour` for a guided tour with real tools, ' +
      '"what is 17 * 23" to see one at work, or "tell me a long story" to have something to stop. ' +
      "Set a provider's API key (`ANTHROPIC_API_KEY`, say) and start again: then a real model answers here.",
  },
}
