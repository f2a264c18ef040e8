import type { Script } from './script.ts'
import { story, tour } from './tour.ts'

/** The script of the scripted model without a file: enough to see streaming and tools without a key. */
export const defaultScript: Script = {
  scenarios: [
    tour,
    story,
    {
      when: "what time is it|what('s| is) the (time|date)|what day is it",
      turns: [
        { text: 'Let me look at the clock.', calls: [{ name: 'datetime', args: {} }] },
        { text: 'The clock is in the datetime call above. I play a script, so I cannot read it out to you.' },
      ],
    },
    {
      when: '17 ?[*x×] ?23',
      turns: [
        { text: 'Let me work that out.', calls: [{ name: 'calculator', args: { expression: '17 * 23' } }] },
        { text: '17 × 23 is 391.' },
      ],
    },
    {
      when: 'fetch .*lodash',
      turns: [
        {
          text: 'Looking it up.',
          calls: [{ name: 'web_fetch', args: { url: 'https://www.npmjs.com/package/lodash' } }],
        },
        {
          text: 'Lodash is a utility library for JavaScript. More about its page is in the web_fetch call above.',
        },
      ],
    },
  ],
  otherwise: {
    text:
      'You said: {{message}}\n\n' +
      'I am the scripted model: I answer from a script and need no key. Say `tour` for a guided tour with real tools, ' +
      '"what is 17 * 23" to see one at work, or "tell me a long story" to have something to stop. ' +
      "Set a provider's API key (`ANTHROPIC_API_KEY`, say) and start again: then a real model answers here.",
  },
}
