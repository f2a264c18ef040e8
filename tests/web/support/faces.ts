import { expect } from 'vitest'
import { eventually } from './eventually.ts'
import { REFUSED, UNREACHABLE } from './guard.ts'
import { answers, askFor, button, call, composer, endOf, inspector, messages, say, sessionOf } from './person.ts'
import type { Stage } from './stage.ts'
import type { Visitor } from './visit.ts'

const MARKDOWN = `# A heading

A paragraph with **strong** words, \`code\`, a [link](https://example.org/a/rather/long/path?with=a&query=string) and an
unbreakable ${'word'.repeat(40)}.

- a list
  1. with another one in it

| a table | with | several | columns | that | are | wide | enough | to | be | too | wide |
|---|---|---|---|---|---|---|---|---|---|---|---|
| one | two | three | four | five | six | seven | eight | nine | ten | eleven | twelve |

\`\`\`ts
const line = 'of code that is longer than any phone is wide, and longer than the column in which people read it'
\`\`\`

> A quotation.

![a picture](https://example.org/picture.png)
`

/** Everything the page can look like comes up with these. */
export const FACES_SCRIPT = {
  scenarios: [
    { when: '^slow', turns: [{ text: MARKDOWN.repeat(3), delayMs: 15, deltaChars: 6 }] },
    {
      when: '^work',
      turns: [
        {
          reasoning: 'Let me think about it.',
          text: 'Let me look.',
          calls: [
            { name: 'calculator', args: { expression: '17 * 23' } },
            { name: 'calculator', args: { expression: '1 / nothing' } },
            { name: 'no_such_tool', args: { a: 'b'.repeat(300) } },
          ],
        },
        { text: MARKDOWN },
      ],
    },
    {
      when: '^write',
      turns: [
        { calls: [{ name: 'write_file', args: { path: 'a/b.txt', content: 'a long line of text '.repeat(20) } }] },
        { text: 'Written.' },
      ],
    },
    { when: '^fail', turns: [{ text: 'half of', fault: { kind: 'error' as const, status: 400, afterDeltas: 1 } }] },
  ],
  otherwise: { text: 'Yes.' },
}

/** What is on each of them once it is there. */
const OPERATOR_PAGES = {
  overview: 'How it goes',
  rounds: /work on it/,
  approvals: /write_file/,
  unknown: /unknown outcome|known outcome|Nothing|nobody knows/i,
  tools: /calculator/,
  models: /scripted/,
  providers: /Add a provider/,
  prompts: /Be brief/,
  knowledge: /Leave/,
  memories: /Likes tea/,
  workflows: /resize/,
  jobs: /Nothing waits/,
  audit: /Verify/,
}

/** Shows every face of the page in turn. `look` is told which. */
export async function showFaces(
  { page, guard }: Visitor,
  stage: Stage,
  look: (face: string) => Promise<void>,
): Promise<void> {
  const isNarrow = (page.viewportSize()?.width ?? 0) < 760
  await page.getByRole('heading', { name: 'What shall we do?' }).waitFor()
  await button(page, 'Take the tour').waitFor()
  await look('the start')

  await say(page, 'work on it')
  await endOf(page, 'answered').waitFor()
  await look('an answer with calls')
  for (const line of await call(page, 'calculator').all()) await line.click()
  await call(page, 'no_such_tool').click()
  await messages(page)
    .getByRole('button', { name: /^Thought for/ })
    .click()
  await look('calls unfolded')
  await page.getByRole('button', { name: 'Conversation menu' }).click()
  await look('a menu')
  await page.keyboard.press('Escape')
  await messages(page).getByRole('article', { name: 'You' }).first().hover()
  await button(page, 'Edit').first().click()
  await look('a message being edited')
  await button(page, 'Cancel').click()

  await button(page, 'How this came about').click()
  for (const tab of ['Round', 'Prompt', 'Usage', 'Events', 'Forks']) {
    await inspector(page).getByRole('tab', { name: tab }).click()
    await eventually(() => inspector(page).getByRole('tabpanel').innerText()).not.toBe('')
    await look(`the inspector: ${tab}`)
  }
  await button(inspector(page), 'Close the inspector').click()

  await say(page, 'slow')
  await answers(page).nth(1).getByText('A paragraph with').first().waitFor()
  await composer(page).fill('a message for later')
  await look('an answer that is being written')
  await button(page, 'Stop').click()
  await endOf(page, 'cancelled').waitFor()
  await composer(page).fill('')
  await say(page, 'fail')
  await endOf(page, 'failed').waitFor()
  await look('a round that failed')
  await say(page, 'write')
  await askFor(page, 'write_file').waitFor()
  await look('an approval')

  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').waitFor()
  await look('the palette')
  await page.keyboard.press('Escape')
  if (isNarrow) {
    await button(page, 'Conversations').click()
    await page.getByRole('navigation', { name: 'Conversations' }).waitFor()
    await look('the conversations')
    await page.getByRole('navigation', { name: 'Conversations' }).getByText('Waiting for you', { exact: true }).click()
    await look('what waits')
  }
  const session = await sessionOf(page)

  await stage.post('/api/prompts', { name: 'House', content: `Be kind. ${'A rather long line of it. '.repeat(20)}` })
  const prompt = await stage.post('/api/prompts', { name: 'House', content: 'Be brief.' })
  await stage.post(`/api/prompts/${prompt.id}/submit`)
  const document = await stage.post('/api/knowledge', {
    title: 'Leave',
    content: `# Leave\n\n${'Everybody has 28 days of leave. '.repeat(20)}\n\n## ${'Unbreakable'.repeat(20)}\n\nWords.`,
    source: `handbook/${'folder/'.repeat(20)}leave.md`,
  })
  await stage.post(`/api/knowledge/${document.id}/submit`)
  await stage.post('/api/memories', { content: 'Likes tea' })
  const workflow = await stage.post('/api/workflows', {
    name: 'resize',
    description: `Makes a picture smaller. ${'Unbreakable'.repeat(20)}`,
    engine: 'http',
    target: { url: `https://example.org/${'folder/'.repeat(20)}resize` },
    input: { type: 'object' },
  })
  await stage.post(`/api/workflows/${workflow.id}/disable`, { reason: 'It moves. '.repeat(20) })
  for (const [tab, words] of Object.entries(OPERATOR_PAGES)) {
    await page.goto(new URL(`/#/operator/${tab}`, stage.url).href)
    await page.getByRole('main').getByText(words).filter({ visible: true }).first().waitFor()
    await look(`operator: ${tab}`)
  }

  await page.goto(new URL(`/#/operator/prompts?id=${prompt.id}`, stage.url).href)
  await page.getByRole('group', { name: /^Changes from House v1/ }).waitFor()
  await look('one prompt')
  await page.goto(new URL(`/#/operator/knowledge?id=${document.id}`, stage.url).href)
  await page.getByRole('list', { name: 'Passages of version 1' }).waitFor()
  await look('one document')
  await page.goto(new URL('/#/operator/prompts?make=system', stage.url).href)
  await page.getByRole('textbox', { name: 'Name' }).waitFor()
  await look('a new prompt')
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByRole('combobox').fill('preferences')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Preferences' }).getByRole('textbox').waitFor()
  await look('the preferences')
  await page.keyboard.press('Escape')

  guard.expect(REFUSED)
  await page.goto(new URL('/#/s/nowhere', stage.url).href)
  await page.getByRole('heading', { name: 'There is no such conversation' }).waitFor()
  await look('a conversation that does not exist')

  await page.goto(new URL(`/#/s/${session}`, stage.url).href)
  await askFor(page, 'write_file').waitFor()
  guard.expect(UNREACHABLE)
  await stage.kill()
  await say(page, 'are you there?')
  await page
    .getByText(/will be sent when/)
    .first()
    .waitFor()
  await page.getByText(/^Reconnecting|cannot be reached\. What/).waitFor()
  await look('without a server')
  expect(await page.title()).toContain('Segno')
}
