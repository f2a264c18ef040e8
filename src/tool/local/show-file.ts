import { relative, resolve } from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { JsonObject } from '../../contract/message.ts'
import type { FileShown } from '../../contract/shown.ts'
import type { ShowContext } from '../../contract/tool.ts'
import { normalisePath } from '../normalise.ts'
import { noteOf } from '../readable.ts'
import { utf8Text } from '../utf8-text.ts'
import { confine } from './confine.ts'
import { codeOf, fileProblem } from './file-problem.ts'
import { lineDiff, MOST_EDITS } from '../../lib/line-diff.ts'
import { openFile } from './open-file.ts'
import { looksSecret } from './secret-name.ts'
import { textArgument } from './text-argument.ts'

/** Larger files are not compared. */
const COMPARED_BYTES = 1_000_000
/** Comparing more would block others. */
const COMPARED_LINES = 50_000

/** What `write_file` would change. */
export async function showFile(args: JsonObject, context: ShowContext): Promise<FileShown> {
  const path = normalisePath(textArgument(args, 'path'))
  const text = textArgument(args, 'content')
  const { before, link, why } = await readThere(path, context)
  const shown = { kind: 'file', path, text } as const
  const noted = (note?: string): { note?: string } => noteOf(link, note)
  if (before === undefined) return { ...shown, ...noted(why) }
  if (args['mode'] === 'create') return { ...shown, ...noted('There is a file of this name already: this will fail.') }
  const after = args['mode'] === 'append' ? before + text : text
  if (hasManyLines(before) || hasManyLines(after))
    return { ...shown, ...noted('There are too many lines to compare: here is the new text only.') }
  const diff = await lineDiff(before, after)
  if (diff === '') return { ...shown, diff, ...noted('The file already says exactly this: nothing will change.') }
  if (diff !== undefined) return { ...shown, diff, ...noted() }
  const many = `More than ${MOST_EDITS} lines differ from what is there now: here is the new text only.`
  return { ...shown, ...noted(many) }
}

function hasManyLines(text: string): boolean {
  let at = -1
  for (let count = 0; count <= COMPARED_LINES; count += 1) if ((at = text.indexOf('\n', at + 1)) < 0) return false
  return true
}

interface There {
  readonly before?: string
  /** where the path leads, if it contains a link */
  readonly link?: string
  /** why it is not compared */
  readonly why?: string
}

async function readThere(path: string, { folder, signal, redact }: ShowContext): Promise<There> {
  let link: { link?: string } = {}
  try {
    const real = await confine(folder, path, signal)
    if (resolve(folder, path) !== real)
      link = { link: `This is a link; the file it leads to changes: ${relative(folder, real)}.` }
    await using file = await openFile(folder, real, path, signal)
    const hidden = (why: string): There => ({ ...link, why: `What is there now is not shown: ${why}.` })
    if (looksSecret(real) || looksSecret(path)) return hidden('a file of this name may hold secrets')
    const bytes = await buffer(file.createReadStream({ end: COMPARED_BYTES, autoClose: false, signal }))
    if (bytes.length > COMPARED_BYTES) return hidden(`it has more than ${COMPARED_BYTES} bytes`)
    const before = utf8Text(bytes)
    if (before === undefined) return hidden('it is not text')
    // Without its secrets, a changed line could go unnoticed.
    return redact(before) === before ? { before, ...link } : hidden('it holds secrets')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return link
    return { ...link, why: `What is there now cannot be shown: ${fileProblem(error, `"${path}"`).message}` }
  }
}
