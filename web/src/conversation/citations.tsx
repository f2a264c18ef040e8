import { useMemo, useRef, type ReactNode, type RefObject } from 'react'
import type { Citation } from '../../../src/contract/sent-prompt.ts'
import type { CitedView } from '../../../src/contract/views.ts'
import { hrefWith } from '../operator/filters.ts'
import { Fold } from '../parts/fold-button.tsx'
import { may } from '../state/may.ts'
import { useMe } from '../state/me.ts'
import { usePolled } from '../state/polled.ts'
import { useSession } from '../state/session.ts'
import { CitingContext } from '../text/cite.tsx'
import { Markdown } from '../text/markdown.tsx'
import { VisibleText } from '../text/visible-text.tsx'

const SELDOM_MS = 600_000
const NONE: readonly Citation[] = []

interface CitedTextProps {
  /** of the answer, once it is stored */
  readonly eventId: string | undefined
  readonly citations: readonly Citation[] | undefined
  readonly children: ReactNode
}

/** An answer whose labels lead to the passages it cites, which stand below it. */
export function CitedText({ eventId, citations = NONE, children }: CitedTextProps) {
  const list = useRef<HTMLUListElement>(null)
  const citing = useMemo(() => {
    const labels = new Set(citations.map(({ label }) => label))
    const show = (label: string): void => {
      const head = list.current?.querySelector<HTMLButtonElement>(`[data-label="${label}"] button`)
      if (head?.ariaExpanded === 'false') head.click()
      head?.focus({ preventScroll: true })
      // Once its passage is drawn.
      requestAnimationFrame(() => head?.closest('li')?.scrollIntoView({ block: 'nearest' }))
    }
    return labels.size === 0 ? undefined : { labels, show }
  }, [citations])
  return (
    <>
      <CitingContext value={citing}>{children}</CitingContext>
      {citing && eventId !== undefined && <Passages list={list} eventId={eventId} citations={citations} />}
    </>
  )
}

interface PassagesProps {
  readonly list: RefObject<HTMLUListElement | null>
  readonly eventId: string
  readonly citations: readonly Citation[]
}

/** Where the passages are from; each unfolds to its words. */
function Passages({ list, eventId, citations }: PassagesProps) {
  const { id } = useSession()
  const encoded = encodeURIComponent
  const path = `/api/sessions/${encoded(id)}/messages/${encoded(eventId)}/citations`
  const { value, error } = usePolled<{ readonly items: readonly CitedView[] }>(path, SELDOM_MS)
  return (
    <ul ref={list} className="conv-passages plain-list" aria-label="Sources in documents">
      {citations.map(({ label }) => {
        const passage = value?.items.find((one) => one.label === label)
        return (
          <li key={label} data-label={label}>
            <Fold head={<PassageHead label={label} passage={passage} />}>
              <div className="conv-passage">
                {passage ? <PassageWords passage={passage} /> : <p className="muted">{error ?? 'loading…'}</p>}
              </div>
            </Fold>
          </li>
        )
      })}
    </ul>
  )
}

/** `passage`: once it is read */
function PassageHead({ label, passage }: { label: string; passage: CitedView | undefined }) {
  return (
    <>
      <VisibleText as="span" className="md-cite" text={label} />
      <span className="conv-passage-place">
        {passage?.erased ? (
          'deleted'
        ) : (
          <VisibleText text={[passage?.title, passage?.place].filter(Boolean).join(' · ')} />
        )}
      </span>
    </>
  )
}

function PassageWords({ passage: { documentId, version, text = '', erased } }: { passage: CitedView }) {
  const mayLook = may(useMe(), 'knowledge:read')
  if (erased) return <p className="muted">This passage was deleted after the answer was given.</p>
  return (
    <>
      <Markdown text={text} />
      {mayLook && (
        <p>
          <a href={hrefWith('knowledge', { id: documentId })}>The document</a>{' '}
          <span className="muted">version {version}</span>
        </p>
      )}
    </>
  )
}
