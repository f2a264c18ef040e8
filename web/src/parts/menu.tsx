import { useEffect, useId, useRef, useState, type ReactNode } from 'react'
import { Icon, type IconName } from './icon.tsx'

export interface MenuEntry {
  readonly label: string
  readonly icon?: IconName
  readonly note?: string
  readonly checked?: boolean
  readonly disabled?: boolean
  readonly danger?: boolean
  run(): unknown
}

interface MenuProps {
  readonly label: string
  readonly button: ReactNode
  readonly entries: readonly MenuEntry[]
  readonly className?: string
}

/** A button that opens a list of things to do. Arrow keys move, Escape closes. */
export function Menu({ label, button, entries, className = '' }: MenuProps) {
  const [isOpen, setOpen] = useState(false)
  const root = useRef<HTMLDivElement>(null)
  const opener = useRef<HTMLButtonElement>(null)
  const id = useId()

  useEffect(() => {
    if (!isOpen) return
    root.current?.querySelector<HTMLElement>('[role^=menuitem]')?.focus()
    const outside = (event: Event): void => {
      if (!root.current?.contains(event.target as Node)) setOpen(false)
    }
    document.addEventListener('pointerdown', outside)
    return () => document.removeEventListener('pointerdown', outside)
  }, [isOpen])

  const close = (): void => {
    setOpen(false)
    opener.current?.focus()
  }
  const move = (by: number): void => {
    const all = [...(root.current?.querySelectorAll<HTMLElement>('[role^=menuitem]') ?? [])]
    const now = all.indexOf(document.activeElement as HTMLElement)
    all[(now + by + all.length) % all.length]?.focus()
  }

  return (
    <div
      ref={root}
      className={`menu ${className}`}
      onKeyDown={(event) => {
        if (!isOpen) return
        if (event.key === 'Escape') close()
        else if (event.key === 'ArrowDown') move(1)
        else if (event.key === 'ArrowUp') move(-1)
        else if (event.key === 'Tab') return setOpen(false)
        else return
        event.preventDefault()
        event.stopPropagation()
      }}
    >
      <button
        ref={opener}
        type="button"
        className="menu-opener"
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        aria-label={label}
        title={label}
        onClick={() => setOpen(!isOpen)}
      >
        {button}
      </button>
      {isOpen && (
        <div role="menu" id={id} aria-label={label} className="menu-list">
          {entries.map((entry) => (
            <button
              key={entry.label}
              type="button"
              role={entry.checked === undefined ? 'menuitem' : 'menuitemradio'}
              aria-checked={entry.checked}
              aria-disabled={entry.disabled}
              className={entry.danger ? 'entry menu-entry danger' : 'entry menu-entry'}
              onClick={() => {
                if (entry.disabled) return
                close()
                entry.run()
              }}
            >
              {entry.checked !== undefined && (
                <span className="menu-check">{entry.checked && <Icon name="check" />}</span>
              )}
              {entry.icon && <Icon name={entry.icon} />}
              <span className="menu-words">
                {entry.label}
                {entry.note !== undefined && <small>{entry.note}</small>}
              </span>
            </button>
          ))}
        </div>
      )}
    </div>
  )
}
