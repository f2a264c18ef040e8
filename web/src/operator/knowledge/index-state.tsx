import type { VectorView } from '../../../../src/contract/views.ts'
import { count } from '../../parts/format.ts'
import { usePolled } from '../../state/polled.ts'
import { VisibleText } from '../../text/visible-text.tsx'
import { State } from '../parts.tsx'
import { DOCUMENTS } from './document-api.ts'

/** How many passages can be found by what they mean, and how far the work on the rest is. */
export function IndexState() {
  const { value } = usePolled<VectorView>(`${DOCUMENTS}/index`, 3000)
  if (!value || value.all === 0) return null
  const { hasVectors, model, done, all, searching, failure } = value
  if (!hasVectors)
    return (
      <p className="op-index op-note muted">
        {count(all)} passages are found by their words only, not by what they mean.
      </p>
    )
  const isDone = done >= all
  const until = searching ? `the vectors of ${searching} are searched` : 'the rest is found by its words'
  return (
    <p className="op-index op-note muted row wrap">
      {!isDone && <progress aria-label="Index of meanings" max={all} value={done} />}
      <span>
        {count(done)} of {count(all)} passages can be found by meaning, with{' '}
        <VisibleText text={isDone ? model : `${model}; until then ${until}`} />.
      </span>
      {failure !== undefined && (
        <State icon="warn" tone="warn">
          <VisibleText text={failure} spaces="prose" />
        </State>
      )}
    </p>
  )
}
