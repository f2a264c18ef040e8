import { readFile } from 'node:fs/promises'
import { text as readAll } from 'node:stream/consumers'
import { Problem } from '../../contract/problem.ts'

/** The text of a file; `-` is standard input. */
export async function readText(file: string): Promise<string> {
  if (file === '-') return readAll(process.stdin)
  return readFile(file, 'utf8').catch((cause: unknown) => {
    const { code, message } = cause as NodeJS.ErrnoException
    const why = code === 'ENOENT' ? 'is not there' : `cannot be read: ${message}`
    throw new Problem('VALIDATION_ERROR', `${file} ${why}.`, { cause })
  })
}

/** The same as others see it: lines end with a line feed alone, and the last one has no end. */
export async function readWords(file: string): Promise<string> {
  const text = await readText(file)
  return text
    .replace(/^\ufeff/, '')
    .replaceAll('\r\n', '\n')
    .replace(/\n$/, '')
}
