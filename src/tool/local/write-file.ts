import { Buffer } from 'node:buffer'
import { basename, dirname, join } from 'node:path'
import type { Tool } from '../../contract/tool.ts'
import { normalisePath } from '../normalise.ts'
import { atPath, PATH_INPUT } from './confine.ts'
import { inFolder } from './in-folder.ts'
import { appendTo, createAt, overwriteAt } from './put-file.ts'
import { showFile } from './show-file.ts'
import { textArgument } from './text-argument.ts'

/** Longer texts are written in parts, with mode "append". */
const LONGEST_CONTENT = 1_000_000
const DONE = { overwrite: 'Wrote', create: 'Created with', append: 'Appended' } as const
const PUT = { overwrite: overwriteAt, create: createAt, append: appendTo } as const

export const writeFile: Tool = {
  name: 'write_file',
  description:
    'Writes text to a file of the workspace, creating the folders on the way. Mode "overwrite" replaces the file, ' +
    '"create" refuses to touch an existing one, "append" adds to its end.',
  input: {
    type: 'object',
    properties: {
      path: { ...PATH_INPUT, description: 'relative to the workspace' },
      content: {
        type: 'string',
        maxLength: LONGEST_CONTENT,
        description: 'the text, exactly as it shall stand in the file',
      },
      mode: { type: 'string', enum: ['overwrite', 'append', 'create'], default: 'overwrite' },
    },
    required: ['path', 'content'],
    additionalProperties: false,
  },
  // Appending twice is not the same as once, and overwriting again could undo what a person wrote meanwhile.
  effect: 'unsafe',
  inFolder: true,
  approval: 'ask',
  // The text stays in the workspace.
  reach: [],
  // Its output is only what it did.
  own: true,
  normalise: { path: 'path' },
  target: (args) => normalisePath(textArgument(args, 'path')),
  show: showFile,
  async run(args, ctx) {
    const path = textArgument(args, 'path')
    const mode = (args['mode'] ?? 'overwrite') as keyof typeof PUT
    const bytes = Buffer.from(textArgument(args, 'content'))
    return atPath(path, ctx, async (real) => {
      if (real === ctx.folder) throw new Error(`"${path}" is a folder.`)
      await inFolder(
        ctx.folder,
        dirname(real),
        async (base, folder) => {
          await PUT[mode](join(base, basename(real)), bytes, path, ctx.signal)
          // Otherwise the name of a new file could be lost in a power failure.
          await folder.sync()
        },
        { create: true, signal: ctx.signal },
      )
      return `${DONE[mode]} ${bytes.length} bytes: ${normalisePath(path)}`
    })
  },
}
