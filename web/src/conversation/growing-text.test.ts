import { expect, test } from 'vitest'
import type { Delta } from '../../../src/client/index.ts'
import { createLiveTurns } from '../log/live-turns.ts'
import { parseMarkdown } from '../text/parse-markdown.ts'
import { createGrowingText } from './growing-text.ts'

const TEXT = '# A story\n\nOnce **upon** a time.\n\n- one\n- two\n\n```js\nlet a\n```\n\nThe end.'
const delta = (offset: number, text: string): Delta => ({ requestId: 'r', turn: 1, kind: 'text', offset, text })
const liveTurns = () => createLiveTurns((run) => run())

test('a text that comes in pieces ends in what the whole text is', () => {
  const live = liveTurns()
  const grown = createGrowingText()
  for (let at = 0; at < TEXT.length; at += 3) {
    live.take(delta(at, TEXT.slice(at, at + 3)))
    expect(grown.take(live.turn('r', 1))).toEqual(parseMarkdown(TEXT.slice(0, at + 3)))
  }
  expect(grown.end(TEXT)).toEqual(parseMarkdown(TEXT))
})

test('taking the same again gives the same blocks, and so does storing what was shown', () => {
  const live = liveTurns()
  const grown = createGrowingText()
  live.take(delta(0, TEXT))
  const first = grown.take(live.turn('r', 1))
  expect(grown.take(live.turn('r', 1))).toBe(first)
  expect(grown.take(undefined)).toBe(first)
  expect(grown.end(TEXT)).toBe(first)
})

test('another connection that says the same goes on where the text was', () => {
  const [one, other] = [liveTurns(), liveTurns()]
  const grown = createGrowingText()
  one.take(delta(0, TEXT.slice(0, 30)))
  const [heading] = grown.take(one.turn('r', 1))
  other.take(delta(0, TEXT))
  const blocks = grown.take(other.turn('r', 1))
  expect(blocks).toEqual(parseMarkdown(TEXT))
  expect(blocks[0]).toBe(heading)
})

test('a text that is said otherwise, now or when it is stored, replaces what was shown', () => {
  const live = liveTurns()
  const grown = createGrowingText()
  live.take(delta(0, 'one way'))
  grown.take(live.turn('r', 1))
  live.take(delta(0, 'another'))
  expect(grown.take(live.turn('r', 1))).toEqual(parseMarkdown('another'))
  expect(grown.end('a third')).toEqual(parseMarkdown('a third'))
})
