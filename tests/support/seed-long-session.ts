import { compose } from '../../src/app.ts'
import type { Script } from '../../src/model/index.ts'

/** What people and models write: paragraphs, a list, a table, code. */
const ANSWER = `Answer to {{message}}.

There are **two ways** to do this, and the *second* is usually better; see \`fold\` and [the notes](https://example.org/notes).

- the first reads everything again
- the second keeps what it has and adds what is new

\`\`\`ts
const next = events.reduce(evolve, state)
\`\`\`

| way | cost |
|---|---|
| again | 12 ms |
| adding | 1 ms |

That is all there is to say about it.`

const script: Script = {
  scenarios: [
    {
      when: '[05]$',
      turns: [
        { text: 'Let me work that out.', calls: [{ name: 'calculator', args: { expression: '17 * 23' } }] },
        { text: ANSWER },
      ],
    },
  ],
  otherwise: { text: ANSWER },
}

/**
 * Run with a home nobody serves and a number: writes a conversation of so many messages into it, through the loop itself
 * but without waiting for anything, and prints the id of its session. It is a program because the tests of the page,
 * which know what a document is, cannot import the server, which does not.
 */
const [home = '', messages = ''] = process.argv.slice(2)
const segno = await compose({ home, durability: 'normal', model: script, env: {} }, {})
const { id } = await segno.createSession({ title: 'A long conversation' })
for (let i = 1; i <= Number(messages) / 2; i++) {
  const { completion } = await segno.streamRequest(id, `question ${i}`)
  const { finishReason, error } = await completion
  if (finishReason !== 'complete') throw new Error(`round ${i} ended with ${finishReason}: ${error ?? ''}`)
}
await segno.close()
console.log(id)
