import type { Tool } from '../../contract/tool.ts'
import { confine, PATH_INPUT } from './confine.ts'
import { fileProblem } from './file-problem.ts'
import { literalMatcher, type Matcher, patternMatcher } from './matcher.ts'
import { MOST_MATCHES, PASSED_OVER, searchFolder } from './search-folder.ts'
import { textArgument } from './text-argument.ts'

/** `ms` is how long a search may take before it shows what it has. */
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
        const start = await confine(ctx.folder, path, ctx.signal)
        return await searchFolder({ root: ctx.folder, start, matcher, signal: ctx.signal, late })
      } catch (error) {
        throw fileProblem(error, `"${path}"`)
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
