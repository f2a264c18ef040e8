import type { Page } from '../../../../src/client/index.ts'
import { clock } from '../../parts/format.ts'
import { CodeBox } from '../../parts/code-box.tsx'
import { usePolled } from '../../state/polled.ts'
import { PolledList } from '../list-states.tsx'
import type { JsonObject } from '../../../../src/contract/message.ts'

/** Everything the log says, without personal fields and keys. */
type TraceEntry = JsonObject & { readonly at: string; readonly type: string }

/** How the tools of a round were used, with personal fields and keys taken out by the server. */
export function RoundTrace({ requestId }: { requestId: string }) {
  const list = usePolled<Page<TraceEntry>>(`/api/rounds/${encodeURIComponent(requestId)}/trace`, 10_000)
  return (
    <section aria-label="Trace">
      <PolledList list={list} empty={<p className="muted">It used no tools.</p>}>
        {(items) => (
          <ol className="op-trace">
            {items.map(({ at, type, ...rest }, n) => (
              <li key={n}>
                <span className="muted">{clock(at)}</span> <strong>{type.replaceAll('_', ' ')}</strong>
                <CodeBox label={`Entry ${n + 1}`} content={rest} />
              </li>
            ))}
          </ol>
        )}
      </PolledList>
    </section>
  )
}
