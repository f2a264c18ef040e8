import type { FileHandle } from 'node:fs/promises'
import { TextDecoder } from 'node:util'
import type { Tool } from '../../contract/tool.ts'
import { atPath, PATH_INPUT } from './confine.ts'
import { LineWindow } from './line-window.ts'
import { openFile } from './open-file.ts'
import { looksSecret } from './secret-name.ts'
import { textArgument } from './text-argument.ts'

const MOST_CHARS = 200_000
/** kept free for the note about where the file goes on */
const NOTE_CHARS = 200
const CHUNK_BYTES = 64 * 1024

export const readFile: Tool = {
  name: 'read_file',
  description: `Reads a text file of the workspace, whole or some lines of it; at most ${MOST_CHARS} characters at once.`,
  input: {
    type: 'object',
    properties: {
      path: { ...PATH_INPUT, description: 'relative to the workspace' },
      offset: { type: 'integer', minimum: 1, default: 1, description: 'the first line wanted, counted from 1' },
      limit: { type: 'integer', minimum: 1, description: 'how many lines; all when left out' },
    },
    required: ['path'],
    additionalProperties: false,
  },
  effect: 'pure',
  inFolder: true,
  reach: (args) => (looksSecret(textArgument(args, 'path')) ? ['secrets'] : []),
  normalise: { path: 'path' },
  outputChars: MOST_CHARS,
  async run(args, ctx) {
    const path = textArgument(args, 'path')
    const offset = Number(args['offset'] ?? 1)
    const lines = new LineWindow(offset, Number(args['limit'] ?? Infinity), MOST_CHARS - NOTE_CHARS)
    return atPath(path, ctx, async (real) => {
      // The call was judged by the given path.
      if (looksSecret(real) && !looksSecret(path))
        throw new Error(`"${path}" leads to a file of another name; ask for that.`)
      await using file = await openFile(ctx.folder, real, path, ctx.signal)
      await fill(lines, file, path, ctx.signal)
      return lines.text(path)
    })
  },
}

/** Reads only as far as necessary. */
async function fill(lines: LineWindow, file: FileHandle, path: string, signal: AbortSignal): Promise<void> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const chunk = new Uint8Array(CHUNK_BYTES)
  for (;;) {
    signal.throwIfAborted()
    const { bytesRead } = await file.read(chunk, 0, CHUNK_BYTES)
    const text = decoded(decoder, chunk.subarray(0, bytesRead), bytesRead > 0)
    if (text === undefined) throw new Error(`"${path}" is not UTF-8 text but binary; it cannot be read.`)
    lines.add(text)
    if (bytesRead === 0 || lines.isFull) return
  }
}

function decoded(decoder: TextDecoder, bytes: Uint8Array, stream: boolean): string | undefined {
  try {
    const text = decoder.decode(bytes, { stream })
    return text.includes('\0') ? undefined : text
  } catch {
    return undefined
  }
}
