import type { Tool } from '../../contract/tool.ts'
import { atPath, PATH_INPUT } from './confine.ts'
import { oneLine } from './one-line.ts'
import { textArgument } from './text-argument.ts'
import { walk } from './walk.ts'

const MOST_ENTRIES = 1000
const MARKS = { file: '', folder: '/', link: ' (link)', other: ' (special)' } as const

export const listFiles: Tool = {
  name: 'list_files',
  description:
    `Lists files and folders of the workspace, at most ${MOST_ENTRIES}. Folders end in a slash; links are named and ` +
    'not followed.',
  input: {
    type: 'object',
    properties: {
      path: { ...PATH_INPUT, default: '.', description: 'a folder, relative to the workspace' },
      depth: { type: 'integer', minimum: 1, maximum: 20, default: 2, description: 'how many levels of folders' },
    },
    additionalProperties: false,
  },
  effect: 'pure',
  inFolder: true,
  normalise: { path: 'path' },
  async run(args, ctx) {
    const path = textArgument(args, 'path', '.')
    const lines: string[] = []
    const notes: string[] = []
    await atPath(path, ctx, async (start) => {
      const root = ctx.folder
      const partly = (folder: string): void => void notes.push(`${oneLine(folder)} could not be read to its end`)
      const found = walk({ root, start, depth: Number(args['depth'] ?? 2), signal: ctx.signal, partly })
      for await (const entry of found) {
        if (lines.length === MOST_ENTRIES) {
          notes.push(`there is more; only the first ${MOST_ENTRIES} entries, level by level, are shown`)
          break
        }
        lines.push(`${oneLine(entry.path)}${MARKS[entry.kind]}`)
      }
    })
    if (lines.length === 0) lines.push('(empty)')
    return [...lines.sort(), ...notes.slice(0, 10).map((note) => `[… ${note}]`)].join('\n')
  },
}
