import type { Scenario } from './script.ts'

const pace = { delayMs: 12, deltaChars: 6 }

const note = {
  name: 'write_file',
  args: {
    path: 'tour/note.md',
    content: '# A note from the tour\n\nSomebody approved that this file is written.\n',
  },
}

/** A guided tour with real tools, a decision to make, and a mistake that is caught. */
export const tour: Scenario = {
  when: '^\\W*((take|start|show me|give me|play) )?(a|the)?\\s*(guided )?(tour|demo)\\b',
  turns: [
    {
      ...pace,
      text:
        '**Welcome.** I am a script, not an AI, because no key is set. The tools I ask for are real, and so are the ' +
        'rules they pass.\n\nFirst something harmless: a calculation. It has no effect on anything, so nobody needs to be asked.',
      calls: [{ name: 'calculator', args: { expression: '(1250 - 180) * 1.2' } }],
    },
    {
      ...pace,
      text:
        'The line above is the call: what went in, how it went, how long it took. \n\nNow I want to write a file. That changes something, ' +
        'so **you are asked first**. Look at exactly what would be written, then approve or deny: both are fine. It would ' +
        'wait for you for hours, also across a restart of the server.',
      calls: [note],
    },
    {
      ...pace,
      text:
        'Your decision is in the log, with your name.\n\nNext I make a mistake on purpose: I ask for exactly the same ' +
        'write once more, as models do when they lose track.',
      calls: [note],
    },
    {
      ...pace,
      text:
        '**Refused as a duplicate**, and I was told so. Nothing with an effect happens twice in a round, whatever the ' +
        'model says.\n\nLet me look at what is there now.',
      calls: [{ name: 'list_files', args: { path: '.' } }],
    },
    {
      ...pace,
      text: `That was the tour. Some things to try now:

| try | and see |
|---|---|
| say \`tell me a long story\`, then stop it | what was said stays, marked as stopped |
| fork from any message | another way, with the same past |
| look at what I was sent | every layer of the prompt, with its size |
| kill the server while I speak, and start it again | nothing is lost |

For a real model set one key and start again:

\`\`\`sh
ANTHROPIC_API_KEY=… npx segno serve
\`\`\`

\`npx segno doctor\` tells which providers are set up and what is missing for the others.`,
    },
  ],
}

/** Long enough to be stopped. */
export const story: Scenario = {
  when: 'long story|tell me a story',
  turns: [
    {
      delayMs: 30,
      deltaChars: 5,
      text: `Once there was a copyist who lived above a printer's shop. All day she wrote out parts for the orchestra: first violins, second violins, horns in F, the one lonely triangle.

Her trouble was the cat. Twice a week it walked across the wet ink, and a page was gone. Other copyists began again from the first bar when that happened, and cursed, and were late.

She did not. Each time she finished a line she put a small sign in the margin, and beside it the number of the line. When a page was spoiled she looked for the last sign that could still be read, and went on from there. Nothing was copied twice. Nothing was left out. The horns came in where horns should come in.

One winter the printer asked her to copy letters as well, and some of the letters had money in them. Now the sign had to mean something more. Before she sealed an envelope she wrote in her book: *I am about to send this one.* When it was sent she wrote: *done.* If the cat came in between, she did not guess. She went to the address, and asked.

People said she was slow. But no one was ever paid twice, and no one waited in vain, and in all those years the triangle never once missed its bar.

When she grew old she taught the printer's boy. He wanted to know why the sign was so small. "Because," she said, "it is not there to be admired. It is there to be found."

He asked what he should do if he could not find any sign at all, not one, on any page.

"Then you begin at the beginning," she said. "But I have never seen it. There is always a sign. You only have to put it there before you turn the page, and not after."

The boy became a copyist, and then a printer, and kept a cat of his own. They say that the margins of everything he made are full of small signs, and that you can open any of his books, at any page, and go on.`,
    },
  ],
}
