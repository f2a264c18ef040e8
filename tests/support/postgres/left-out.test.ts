import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { LEFT_OUT } from './left-out.ts'

test.each(LEFT_OUT)('$file $title, which is left out, is still there', ({ file, title = '' }) => {
  expect(readFileSync(file, 'utf8')).toContain(title)
})
