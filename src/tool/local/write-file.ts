import { Buffer } from 'node:buffer'
import { basename, dirname, join } from 'node:path'
import type { Tool } from '../../contract/tool.ts'
import { normalisePath } from '../normalise.ts'
import { confine, PATH_INPUT } from './confine.ts'
import { fileProblem } from './file-problem.ts'
import { inFolder } from './in-folder.ts'
import { appendTo, createAt, overwriteAt } from './put-file.ts'
import { textArgument } from './text-argument.ts'

/** As long as a message may be by default; more is written in parts, with mode "append". */
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
  // Overwriting twice gives the same file, appending twice does not, and even overwriting again after a crash would
  // undo what a person wrote meanwhile. One class stands for all modes, so it is the careful one.
  effect: 'unsafe',
  inFolder: true,
  approval: 'ask',
  // It stays in the workspace.
  reach: [],
  // It tells what it did, in its own words.
  own: true,
  normalise: { path: 'path' },
  target: (args) => normalisePath(textArgument(args, 'path')),
  async run(args, ctx) {
    const path = textArgument(args, 'path')
    const mode = (args['mode'] ?? 'overwrite') as keyof typeof PUT
    const bytes = Buffer.from(textArgument(args, 'content'))
    try {
      const real = await confine(ctx.folder, path, ctx.signal)
      if (real === ctx.folder) throw new Error(`"${path}" is a folder.`)
      await inFolder(
        ctx.folder,
        dirname(real),
        async (base, folder) => {
          await PUT[mode](join(base, basename(real)), bytes, path, ctx.signal)
          // The name of a new file is part of its folder, and is lost with it when the power goes.
          await folder.sync()
        },
        { create: true, signal: ctx.signal },
      )
      return `${DONE[mode]} ${bytes.length} bytes: ${normalisePath(path)}`
    } catch (error) {
      throw fileProblem(error, `"${path}"`)
    }
  },
}
