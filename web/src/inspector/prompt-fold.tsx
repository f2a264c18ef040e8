import type { ReactNode } from 'react'
import { oneLine } from '../parts/format.ts'
import { Fold } from '../parts/fold-button.tsx'
import { VisibleText } from '../text/visible-text.tsx'

interface PromptFoldProps {
  readonly head: ReactNode
  /** a number, at the end of the line */
  readonly note?: string
  /** the first words of the content */
  readonly gist?: string
  readonly children: ReactNode
}

/** A part of a prompt: its name and first words, and all of it when unfolded. */
export function PromptFold({ head, note = '', gist = '', children }: PromptFoldProps) {
  const line = (
    <>
      <span className="insp-fold-name">{head}</span>
      {gist !== '' && <VisibleText as="span" className="insp-fold-gist ellipsis" text={oneLine(gist)} />}
      {note !== '' && <span className="insp-fold-note">{note}</span>}
    </>
  )
  return (
    <Fold className="insp-fold-head" head={line}>
      <div className="insp-fold-body">{children}</div>
    </Fold>
  )
}
