import { useState, type ReactNode } from 'react'
import { Icon } from './icon.tsx'

interface FoldButtonProps {
  readonly isOpen: boolean
  readonly onToggle: (isOpen: boolean) => void
  readonly className?: string
  /** id of what it unfolds */
  readonly controls?: string
  readonly children: ReactNode
}

/** A line that unfolds into more. */
export function FoldButton({ isOpen, onToggle, className = '', controls, children }: FoldButtonProps) {
  return (
    <button
      type="button"
      className={`fold ${className}`}
      aria-expanded={isOpen}
      aria-controls={isOpen ? controls : undefined}
      onClick={() => onToggle(!isOpen)}
    >
      <Icon name={isOpen ? 'down' : 'right'} size={14} />
      {children}
    </button>
  )
}

/** A line that unfolds into its children; they are only drawn when it is open. */
export function Fold({ head, className, children }: { head: ReactNode; className?: string; children: ReactNode }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <div>
      <FoldButton isOpen={isOpen} onToggle={setOpen} {...(className !== undefined && { className })}>
        {head}
      </FoldButton>
      {isOpen && children}
    </div>
  )
}
