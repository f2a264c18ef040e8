import { useEffect, useRef, type ReactNode } from 'react'
import { IconButton } from './button.tsx'

/** Where one begins to write, instead of the button that closes it. */
const FIRST = '.dialog-body :is(input, select, textarea):not(:disabled)'

/** A window over the page: it takes the keyboard, and Escape closes it. */
export function Dialog({ title, onClose, children }: { title: string; onClose: () => void; children: ReactNode }) {
  const box = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const before = document.activeElement
    box.current?.showModal()
    box.current?.querySelector<HTMLElement>(FIRST)?.focus()
    return () => (before instanceof HTMLElement ? before.focus() : undefined)
  }, [])
  return (
    <dialog
      ref={box}
      className="dialog"
      aria-label={title}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClick={(event) => {
        if (event.target === box.current) onClose()
      }}
    >
      <header className="dialog-head row">
        <h2>{title}</h2>
        <IconButton label="Close" icon="cross" onClick={onClose} />
      </header>
      <div className="dialog-body">{children}</div>
    </dialog>
  )
}
