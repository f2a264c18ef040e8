import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { isDict, type Dict } from '../support/strict-provider/values.ts'
import type { Contents } from './contents/contents.ts'
import { READ, modelOf, providerOf, shapeOf, type Shape } from './shape.ts'

export interface Recording {
  readonly name: string
  /** as they stand in the file */
  readonly lines: readonly string[]
  readonly shape: Shape
  readonly provider: string
  readonly modelId: string
  readonly contents: Contents
}

/** A folder or a file that cannot be played, and why. */
export class Unreadable extends Error {}

const ENDING = '.chunks.txt'

/** The files of a folder that hold a recording, in the order of their names. */
export function recordingFiles(folder: string): string[] {
  const names = entriesOf(folder)
    .filter((name) => name.endsWith(ENDING))
    .sort()
  if (names.length === 0) throw new Unreadable(`There is no recording (*${ENDING}) in ${folder}.`)
  return names.map((name) => join(folder, name))
}

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    const why =
      (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'does not exist' : 'is not a folder that can be read'
    throw new Unreadable(`The folder ${folder} ${why}.`, { cause: error })
  }
}

export function readRecording(file: string): Recording {
  const name = basename(file, ENDING)
  const lines = textOf(file)
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
  if (lines.length === 0) throw new Unreadable(`${name} is empty; one JSON object a line is expected.`)
  const chunks = lines.map((line, at) => parse(line, `${name}, line ${at + 1}`))
  const [word = ''] = name.split(/[-_.]/)
  const shape = shapeOf(word, chunks)
  if (!shape) throw new Unreadable(`${name} is in no format of a provider that Segno can reach.`)
  const provider = providerOf(word, shape)
  return { name, lines, shape, provider, modelId: modelOf(provider, chunks), contents: READ[shape](chunks) }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw new Unreadable(`${basename(file)} cannot be read.`, { cause })
  }
}

function parse(line: string, place: string): Dict {
  let chunk: unknown
  try {
    chunk = JSON.parse(line)
  } catch (cause) {
    throw new Unreadable(`${place} is not JSON; one JSON object a line is expected.`, { cause })
  }
  if (!isDict(chunk)) throw new Unreadable(`${place} is not a JSON object.`)
  return chunk
}
