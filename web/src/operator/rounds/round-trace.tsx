import type { Page } from '../../api/shapes.ts'
import { clock } from '../../parts/format.ts'
import { usePolled } from '../../state/polled.ts'
import { Listed } from '../faces.tsx'
import type { TraceEntry } from '../shapes.ts'
import { Code } from '../code.tsx'

/** How the tools of a round were used, with personal fields and keys taken out by the server. */
export function RoundTrace({ requestId }: { requestId: string }) {
  const list = usePolled<Page<TraceEntry>>(`/api/rounds/${encodeURIComponent(requestId)}/trace`, 10_000)
  return (
    <section aria-label="Trace">
      <Listed list={list} empty={<p className="muted">It used no tools.</p>}>
        {(items) => (
          <ol className="op-trace">
            {items.map(({ at, type, ...rest }, n) => (
              <li key={n}>
                <span className="muted">{clock(at)}</span> <strong>{type.replaceAll('_', ' ')}</strong>
                <Code label={`Entry ${n + 1}`} value={rest} />
              </li>
            ))}
          </ol>
        )}
      </Listed>
    </section>
  )
}
