import * as fc from 'fast-check'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { beforeAll, describe, expect, test } from 'vitest'
import { loadTokenCounter, maxTokens, type CountTokens } from './tokens.ts'

let count: CountTokens
beforeAll(async () => {
  count = await loadTokenCounter()
})

/** The package's own count, which takes any text as it is told so, but is slow on long words. */
const plain = (text: string): number => countTokens(text, { disallowedSpecial: new Set() })

const PROSE = `The harbour was quiet when Amélie arrived; only two gulls quarrelled over a crust. "You're late," said the
pilot, who hadn't slept since Tuesday, "and the tide won't wait for 1,250 crates of oranges." She shrugged, paid him
€3.75 in coins, and climbed aboard. By half past nine they'd passed the lighthouse — 42 metres tall, built in 1887.\n\n`
const CODE = `export async function readAll(paths: readonly string[]): Promise<Map<string, Buffer>> {
  const found = new Map<string, Buffer>()
  for (const path of paths) if (!found.has(path)) found.set(path, await readFile(join(ROOT, path)))
  // a_snake_case_name, someCamelCaseName, 0xdeadbeef, "strings\\n", /re(?:g)ex+/gu
  return found ?? (() => { throw new Error(\`nothing in \${ROOT}\`) })()
}\n`
const CJK = `今天天气很好，我们去公园散步吧。机器学习模型需要大量的数据才能训练得好；请把这份报告翻译成英文，并在星期五之前发给我。
東京は日本の首都であり、世界最大の都市圏の一つです。오늘은 날씨가 좋아서 산책을 갔습니다. 그런데 비가 오기 시작했어요!\n`
const OTHER = `Größenwahnsinnige Donaudampfschifffahrtsgesellschaft. Съешь же ещё этих мягких французских булок. مرحبا بالعالم
नमस्ते दुनिया 👩‍👩‍👧 🇫🇷 ①²½ ﷽ zero\u200bwidth\n`

describe('a count', () => {
  const samples = { prose: PROSE, code: CODE, 'Chinese, Japanese and Korean': CJK, 'other writing': OTHER }
  test.each(Object.keys(samples) as (keyof typeof samples)[])(
    'of %s is the plain tokenizer’s, within 2 percent',
    (kind) => {
      const sample = samples[kind].repeat(40)
      expect(count(sample) / plain(sample)).toBeGreaterThan(0.98)
      expect(count(sample) / plain(sample)).toBeLessThan(1.02)
    },
  )

  test('is exact where no word is very long', () => {
    const words = fc.string({ unit: 'binary', maxLength: 40 })
    const texts = fc.array(fc.oneof(words, fc.constantFrom(PROSE, CODE, CJK, OTHER, '\n\n', '   ')), { maxLength: 6 })
    fc.assert(
      fc.property(texts, (parts) => {
        const text = parts.join(' ')
        expect(count(text)).toBe(plain(text))
      }),
      { numRuns: 50 },
    )
  })

  test('takes what looks like a special token as the text it is', () => {
    for (const text of ['<|endoftext|>', 'a <|im_start|>system<|im_sep|> b', '<|endofprompt|><|fim_prefix|>']) {
      expect(count(text)).toBe(plain(text))
      expect(count(text)).toBeGreaterThan(3)
    }
  })

  test('takes halves of characters, and never more tokens than bytes', () => {
    const units = fc.array(fc.integer({ min: 0, max: 0xffff })).map((codes) => String.fromCharCode(...codes))
    fc.assert(fc.property(units, (text) => count(text) <= maxTokens(text)))
    expect(count('\ud800')).toBe(plain('\ufffd'))
    expect(count('')).toBe(0)
  })

  test('of a long text without a break is near the truth', () => {
    const long = scrambled(97, 26, 3000)
    expect(count(long) / plain(long)).toBeGreaterThan(0.98)
    expect(count(long) / plain(long)).toBeLessThan(1.02)
  })
})

const BYTES = 200_000
const upTo = (text: string, bytes: number): string => text.repeat(Math.ceil(bytes / Buffer.byteLength(text)))

test('counting takes time in proportion to the text, whatever it is made of', () => {
  const ordinary = timeFor(upTo(PROSE, BYTES))
  const odd = ['a', 'Z', '我', ' ', '\n', '/\n', '-=', 'é\u0301', '👍', '\ud800', 'x9', 'qzjxkvw']
  const texts = [
    ...odd.map((text) => upTo(text, BYTES)),
    scrambled(97, 26, BYTES),
    scrambled(0x4e00, 20_000, BYTES / 3),
  ]
  const ratios = texts.map((text) => [text.slice(0, 8), timeFor(text) / ordinary] as const)
  // The plain tokenizer takes a thousand times as long as ordinary for the first of these.
  for (const [text, ratio] of ratios) expect(ratio, JSON.stringify(text)).toBeLessThan(15)
})

/** Letters of a range without any rhythm, the same every time. */
function scrambled(first: number, range: number, length: number): string {
  let seed = 1
  return Array.from({ length }, () => {
    seed = (seed * 48_271) % 0x7fffffff
    return String.fromCharCode(first + (seed % range))
  }).join('')
}

/** The better of two; each with its own end, so that the second is not remembered. */
const timeFor = (text: string): number => Math.min(...['1', '2'].map((end) => timeOf(() => count(text + end))))

test('a text that comes again is not counted again', () => {
  const text = upTo(CJK, 100_000)
  const first = timeOf(() => count(text))
  const again = timeOf(() => count(`${text.slice(0, 5)}${text.slice(5)}`))
  expect(again).toBeLessThan(first / 5)
})

test('a run of millions of characters does not exhaust the stack', () => {
  expect(count('我'.repeat(5_000_000))).toBe(5_000_000)
})

test('the counter is loaded once', () => {
  expect(loadTokenCounter()).toBe(loadTokenCounter())
})

/** Time of this process: others at work on the machine do not count. */
function timeOf(work: () => unknown): number {
  const before = process.cpuUsage()
  work()
  return process.cpuUsage(before).user
}
