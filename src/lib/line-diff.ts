import type { StructuredPatch } from 'diff'

/** More removed and added lines are not compared, because the work grows with their square. */
export const MOST_EDITS = 500
const CONTEXT_LINES = 3

/** The hunks of a unified diff, undefined if too many lines differ; made in small steps that leave room for others. */
export async function lineDiff(before: string, after: string): Promise<string | undefined> {
  const { structuredPatch, formatPatch, OMIT_HEADERS } = await import('diff')
  const options = { context: CONTEXT_LINES, maxEditLength: MOST_EDITS }
  const patch = await new Promise<StructuredPatch | undefined>((resolve) =>
    structuredPatch('', '', before, after, '', '', { ...options, callback: resolve }),
  )
  if (patch === undefined || patch.hunks.length === 0) return patch && ''
  const text = formatPatch(patch, OMIT_HEADERS).slice(0, -1)
  // If line ends are mixed, they may be the only change.
  const endsOtherwise = patch.hunks.some(({ lines }) => lines.some((line) => !line.endsWith('\r')))
  return endsOtherwise ? text.replaceAll('\r', '\\u{d}') : text
}
