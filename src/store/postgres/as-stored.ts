import { foldCase } from '../../lib/fold-case.ts'
import { cleanText } from '../clean-text.ts'
import type { Projection } from '../project.ts'

/** Adds the folded title, because no collation folds like `foldCase`, and cleans ids that a model made up. */
export function asStored(projection: Projection): Projection {
  const one = { ...projection, key: cleanText(projection.key) }
  const title = one.table === 'sessions' ? one.set['title'] : undefined
  if (typeof title !== 'string') return one
  return { ...one, set: { ...one.set, folded: cleanText(foldCase(title)) } }
}
