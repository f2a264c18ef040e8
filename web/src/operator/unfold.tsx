import type { ReactNode } from 'react'
import { moment } from '../parts/format.ts'
import { Icon } from '../parts/icon.tsx'

interface UnfoldProps {
  readonly at: string
  readonly isOpen: boolean
  /** id of what it shows */
  readonly shows: string
  onTurn(): void
  readonly children: ReactNode
}

/** The first cell of a row: when it was, and the way to all of it. */
export function Unfold({ at, isOpen, shows, onTurn, children }: UnfoldProps) {
  return (
    <td data-label="When">
      <button
        type="button"
        className="op-unfold"
        aria-expanded={isOpen}
        aria-controls={isOpen ? shows : undefined}
        title={moment(at)}
        onClick={onTurn}
      >
        <Icon name={isOpen ? 'down' : 'right'} />
        {children}
      </button>
    </td>
  )
}
