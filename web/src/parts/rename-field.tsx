import { useRef, useState } from 'react'
import { isComposing } from './is-composing.ts'

interface RenameFieldProps {
  readonly title: string
  readonly label: string
  readonly className?: string
  /** `byKey`: it ended with a key, so the focus has to go somewhere */
  readonly onDone: (title: string | undefined, byKey: boolean) => void
}

/** A field to rename something. Enter and leaving the field save, Escape cancels; in a dialog only Enter saves. */
export function RenameField({ title, label, className = '', onDone }: RenameFieldProps) {
  const [text, setText] = useState(title)
  const isDone = useRef(false)
  const finish = (next: string, byKey: boolean): void => {
    isDone.current = true
    onDone(next.trim() === '' || next.trim() === title ? undefined : next.trim(), byKey)
  }
  return (
    <input
      className={`input ${className}`}
      aria-label={label}
      value={text}
      maxLength={200}
      autoFocus
      onFocus={(event) => event.target.select()}
      onChange={(event) => setText(event.target.value)}
      onBlur={(event) => {
        // Removing the field also blurs it: that must not answer a second time.
        if (!isDone.current && !event.target.closest('dialog')) finish(text, false)
      }}
      onKeyDown={(event) => {
        if (isComposing(event)) return
        if (event.key === 'Enter') finish(text, true)
        else if (event.key === 'Escape') finish('', true)
        else return
        event.preventDefault()
        event.stopPropagation()
      }}
    />
  )
}
