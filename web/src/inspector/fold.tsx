import { useState, type ReactNode } from 'react'
import { Icon } from '../parts/icon.tsx'
import { VisibleText } from '../text/visible-text.tsx'

/** One line that unfolds. What is folded is not drawn. */
export function Fold({
  head,
  note = '',
  gist = '',
  children,
}: {
  head: ReactNode
  /** a number, at the end of the line */
  note?: string
  /** how what is folded begins */
  gist?: string
  children: ReactNode
}) {
  const [isOpen, setOpen] = useState(false)
  return (
    <div className="insp-fold">
      <button type="button" className="insp-fold-head" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <Icon name={isOpen ? 'down' : 'right'} size={14} />
        <span className="insp-fold-name">{head}</span>
        {gist !== '' && (
          <span className="insp-fold-gist">
            <VisibleText text={gist.replaceAll(/[ \t\r\n]+/g, ' ')} />
          </span>
        )}
        {note !== '' && <span className="insp-fold-note">{note}</span>}
      </button>
      {isOpen && <div className="insp-fold-body">{children}</div>}
    </div>
  )
}
