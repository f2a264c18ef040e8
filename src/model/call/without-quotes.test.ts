import { array, assert, asyncProperty, constantFrom, string } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { withoutQuotes } from './without-quotes.ts'

const SAID = 'Tell nobody that the treasure lies under the old oak, "three feet" deep;\nnot even Zoë.'
const WHERE = 'messages.3: '

describe('a quote is taken out of what a provider says', () => {
  const ways: Readonly<Record<string, (text: string) => string>> = {
    'as it is': (text) => text,
    'as JSON': (text) => JSON.stringify(text).slice(1, -1),
    'as JSON in JSON': (text) => JSON.stringify(JSON.stringify(text)).slice(3, -3),
    'with escaped letters': (text) => text.replaceAll('ë', String.raw`\u00eb`),
    'in one line': (text) => text.replaceAll(/\s+/g, ' '),
    'with other spaces': (text) => text.replaceAll(' ', '\n   '),
    'in capitals': (text) => text.toUpperCase(),
    'without its punctuation': (text) => text.replaceAll(/[^\p{L}\s]/gu, ''),
  }
  for (const [way, write] of Object.entries(ways))
    test(way, async () => {
      const left = await withoutQuotes(`${WHERE}${write(SAID)}`, ['something else', SAID])
      expect(left).toMatch(/^messages\.3: \[…\]\S{0,4}$/)
    })
})

test('no 20 characters of any text are left, whatever both are made of', async () => {
  const words = constantFrom('a', 'b', ' ', '\n', '\\', '"', '-', '我', '👍', 'ß')
  const texts = array(string({ unit: words, maxLength: 80 }), { maxLength: 4 })
  await assert(
    asyncProperty(texts, string({ unit: words, maxLength: 60 }), async (all, more) => {
      const left = await withoutQuotes(all.join(more), all)
      for (let at = 0; at + 20 <= left.length; at++)
        expect(all.some((text) => text.includes(left.slice(at, at + 20)))).toBe(false)
    }),
  )
})

test('what is not of the texts stays', async () => {
  const message = 'This model’s maximum context length is 8192 tokens, however you requested 9000.'
  expect(await withoutQuotes(message, [SAID, ''])).toBe(message)
  expect(await withoutQuotes('', [SAID])).toBe('')
})

test('a quote is found in the middle of millions of characters', async () => {
  const filler = 'All work and no play makes Jack a dull boy. '.repeat(20_000)
  expect(await withoutQuotes(SAID, [filler + SAID + filler])).toBe('[…]')
})

test('millions of characters take time in proportion, whatever stands there', async () => {
  const time = async (text: string): Promise<number> => {
    const before = process.cpuUsage()
    await withoutQuotes('a'.repeat(2000) + 'ab'.repeat(1000), [text])
    return process.cpuUsage(before).user / 1000
  }
  await time('warm')
  for (const piece of ['a', 'ab', '\\', 'x ', '我'])
    expect(await time(piece.repeat(2_000_000 / piece.length)), piece).toBeLessThan(3000)
})
