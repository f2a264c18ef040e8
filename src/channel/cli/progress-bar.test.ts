import { expect, test } from 'vitest'
import { columnsOf } from './chat/columns.ts'
import { progressBar } from './progress-bar.ts'

function written(isTTY: boolean, columns = 60) {
  const texts: string[] = []
  return { texts, isTTY, columns, write: (text: string) => texts.push(text) }
}

test('draws one line on a terminal, never wider than it, and takes it away', () => {
  const out = written(true)
  const bar = progressBar('Importing', 4, out)
  bar.show(1, '手'.repeat(50))
  bar.end()
  const [drawn = '', cleared] = out.texts
  expect(drawn).toContain('Importing ██████░░░░░░░░░░░░░░░░░░ 1/4 手')
  expect(drawn.startsWith('\r\u001b[2K')).toBe(true)
  expect(columnsOf(drawn.slice('\r\u001b[2K'.length))).toBeLessThan(60)
  expect([cleared, out.texts.length]).toEqual(['\r\u001b[2K', 2])
})

test('a name cannot steer the terminal', () => {
  const out = written(true)
  progressBar('Importing', 1, out).show(0, 'a\u001b[31m\r\nb')
  const drawn = out.texts.join('').replaceAll('\r\u001b[2K', '')
  for (const obeyed of ['\u001b', '\r', '\n']) expect(drawn).not.toContain(obeyed)
})

test('writes nothing elsewhere while it takes little time', () => {
  const out = written(false)
  const bar = progressBar('Importing', 1000, out)
  for (let done = 0; done < 1000; done += 1) bar.show(done, 'a')
  bar.end()
  expect(out.texts).toEqual([])
})
