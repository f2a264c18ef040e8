import { useRef, useState } from 'react'
import { isComposing } from './is-composing.ts'

/**
 * A title to write over. Enter keeps what was written, Escape what was there before. Leaving the field keeps it too,
 * unless it is in a window: there are other ways out of a window.
 */
export function RenameField({
  title,
  label,
  className = '',
  onDone,
}: {
  title: string
  label: string
  className?: string
  /** `byKey`: the keyboard was in the field, and wants to be somewhere */
  onDone: (title: string | undefined, byKey: boolean) => void
}) {
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
        // Taking the field away takes the focus from it, which is no second answer.
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
