import { describe, expect, test } from 'vitest'
import { loadTokenCounter } from '../../../src/model/call/tokens.ts'
import { probe } from '../../support/probe-tool.ts'
import { segnoUnderTest, type Opening, type SegnoUnderTest } from '../../support/segno-under-test.ts'

const WINDOW = 8000
const MAX_OUTPUT = 1000
const small: Opening = { entry: (model) => ({ ...model, window: WINDOW, maxOutput: MAX_OUTPUT }) }

async function sizes({ requests }: SegnoUnderTest): Promise<number[]> {
  const count = await loadTokenCounter()
  return requests.map(({ prompt, tools }) => count(JSON.stringify([prompt, tools])))
}

/** One needs a third of a token for a character, the other more than half of one. */
const LANGUAGES = {
  English: 'All work and no play makes Jack a dull boy. ',
  Chinese: '我的气垫船装满了鳗鱼，龙年大吉大利。',
}

describe('a conversation fits the window of its model', () => {
  for (const [language, sentence] of Object.entries(LANGUAGES)) {
    test(`in ${language}`, async () => {
      const it = await segnoUnderTest({ ...small, script: { otherwise: { text: sentence.repeat(20) } } })
      for (let i = 0; i < 12; i++) await it.ask(`${i} ${sentence.repeat(Math.floor(4000 / sentence.length))}`)
      const all = await sizes(it)
      expect(Math.max(...all)).toBeLessThanOrEqual(WINDOW - MAX_OUTPUT)
      // As much of it is kept as fits, not just the last message.
      expect(all.filter((tokens) => tokens > WINDOW / 3).length).toBeGreaterThan(6)
    })
  }

  test('also when it was held with a model that sees more', async () => {
    const it = await segnoUnderTest({ script: { otherwise: { text: 'Fine.' } } })
    for (let i = 0; i < 6; i++) await it.ask(`${i} ${LANGUAGES.Chinese.repeat(200)}`)
    await it.reopen(small)
    await it.ask('And now?')
    // The question for a summary fits too.
    expect(it.requests).toHaveLength(2)
    expect(Math.max(...(await sizes(it)))).toBeLessThanOrEqual(WINDOW - MAX_OUTPUT)
    expect(JSON.stringify(it.requests.at(-1)?.prompt.at(-1))).toContain('And now?')
  })

  test('also when one round reads more than that', async () => {
    const read = probe('read', { run: () => LANGUAGES.Chinese.repeat(150) })
    const calls = (n: number) => ({ calls: [{ name: 'read', args: { n } }] })
    const it = await segnoUnderTest({
      ...small,
      tools: [read],
      turns: [calls(1), calls(2), calls(3), { text: 'Done.' }],
    })
    expect((await it.ask()).finishReason).toBe('complete')
    expect(Math.max(...(await sizes(it)))).toBeLessThanOrEqual(WINDOW - MAX_OUTPUT)
  })
})
