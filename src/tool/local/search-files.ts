import { Buffer } from 'node:buffer'
import { lstat } from 'node:fs/promises'
import { relative, sep } from 'node:path'
import type { Tool } from '../../contract/tool.ts'
import { atPath, PATH_INPUT } from './confine.ts'
import { literalMatcher, type Matcher, patternMatcher } from './matcher.ts'
import { oneLine } from './one-line.ts'
import { openFile } from './open-file.ts'
import { looksSecret } from './secret-name.ts'
import { textArgument } from './text-argument.ts'
import { type Entry, walk } from './walk.ts'

const MOST_MATCHES = 200
const PASSED_OVER = ['.git', 'node_modules']
const MOST_FILES = 5000
const MOST_FILE_BYTES = 1024 * 1024
const DEEPEST = 40
const TOO_LONG = 'stopped because the search took too long; narrow the path or use a simpler pattern'

/** After `ms`, a search shows what it has found. */
export function searchFiles({ ms = 10_000 }: { readonly ms?: number } = {}): Tool {
  return {
    name: 'search_files',
    description:
      'Finds lines that contain a text, or match a regular expression, in the text files of the workspace; upper and ' +
      `lower case differ. Folders named ${PASSED_OVER.join(' or ')}, links and files above 1 MiB are passed over; at ` +
      `most ${MOST_MATCHES} lines are shown, as path:line: text.`,
    input: {
      type: 'object',
      properties: {
        query: { type: 'string', minLength: 1, maxLength: 1000 },
        path: { ...PATH_INPUT, default: '.', description: 'a folder or file, relative to the workspace' },
        regex: { type: 'boolean', default: false, description: 'query is a JavaScript regular expression' },
      },
      required: ['query'],
      additionalProperties: false,
    },
    effect: 'pure',
    inFolder: true,
    normalise: { path: 'path' },
    async run(args, ctx) {
      const path = textArgument(args, 'path', '.')
      const late = AbortSignal.timeout(ms)
      const end = AbortSignal.any([ctx.signal, late])
      const matcher = matcherFor(textArgument(args, 'query'), args['regex'] === true, end)
      try {
        return await atPath(path, ctx, (start) =>
          searchFolder({ root: ctx.folder, start, matcher, signal: ctx.signal, late }),
        )
      } finally {
        await matcher.close()
      }
    },
  }
}

function matcherFor(query: string, isPattern: boolean, signal: AbortSignal): Matcher {
  if (!isPattern) return literalMatcher(query)
  try {
    return patternMatcher(query, signal)
  } catch (error) {
    throw new Error(`query: expected a regular expression, got "${query}" (${(error as Error).message})`, {
      cause: error,
    })
  }
}

interface SearchOptions {
  readonly root: string
  readonly start: string
  readonly matcher: Matcher
  readonly signal: AbortSignal
  /** aborts when the search must show what it has found */
  readonly late: AbortSignal
}

async function searchFolder(options: SearchOptions): Promise<string> {
  const { matcher, signal, late } = options
  const lines: string[] = []
  const notes = new Set<string>()
  let files = 0
  for await (const entry of entriesBelow(options, notes)) {
    signal.throwIfAborted()
    if (late.aborted || files === MOST_FILES) {
      notes.add(late.aborted ? TOO_LONG : `stopped after ${MOST_FILES} files`)
      break
    }
    if (entry.kind !== 'file') continue
    if (looksSecret(entry.path)) {
      notes.add('files that look like keys or passwords were passed over; read_file can be asked for one')
      continue
    }
    files += 1
    const text = await textOf(options.root, entry.real, signal)
    const hits = text === undefined ? [] : await matcher.find(text, MOST_MATCHES + 1 - lines.length)
    lines.push(...(hits ?? []).map((hit) => `${oneLine(entry.path)}:${hit.line}: ${hit.text}`))
    if (lines.length > MOST_MATCHES) {
      lines.length = MOST_MATCHES
      notes.add(`there are more matches; only the first ${MOST_MATCHES} are shown`)
      break
    }
  }
  signal.throwIfAborted()
  if (late.aborted) notes.add(TOO_LONG)
  if (lines.length === 0) lines.push(`(no match in ${files} files)`)
  return [...lines, ...[...notes].map((note) => `[… ${note}]`)].join('\n')
}

async function* entriesBelow(options: SearchOptions, notes: Set<string>): AsyncGenerator<Entry> {
  const { root, start, signal } = options
  if ((await lstat(start)).isFile()) {
    yield { path: relative(root, start).split(sep).join('/'), real: start, kind: 'file' }
    return
  }
  const partly = (): void => void notes.add('some folders could not be read to their end')
  const enter = (name: string): boolean => !PASSED_OVER.includes(name)
  yield* walk({ root, start, depth: DEEPEST, signal, enter, partly })
}

/** undefined if it is too large, not text, or no longer there */
async function textOf(root: string, real: string, signal: AbortSignal): Promise<string | undefined> {
  try {
    await using file = await openFile(root, real, real, signal)
    const { size } = await file.stat()
    if (size > MOST_FILE_BYTES) return undefined
    const { buffer, bytesRead } = await file.read(Buffer.alloc(size), 0, size, 0)
    const bytes = buffer.subarray(0, bytesRead)
    return bytes.includes(0) ? undefined : bytes.toString()
  } catch {
    return undefined
  }
}
