import { State } from '../parts.tsx'
import { foundBefore, STATUS, type Doc } from './document.ts'

/** How its newest version is, and which one is found if that is another. */
export function Status({ doc }: { doc: Doc }) {
  const [words, icon, tone] = STATUS[doc.status]
  const before = foundBefore(doc)
  return (
    <State icon={icon} tone={tone}>
      {words}
      {doc.status === 'draft' && doc.reason !== undefined && ', rejected'}
      {before !== undefined && <span className="muted"> (version {before} is found)</span>}
    </State>
  )
}
