import { useRef, useState } from 'react'

/** A title to write over. Enter keeps what was written, Escape what was there before. */
export function RenameField({ title, onDone }: { title: string; onDone: (title?: string) => void }) {
  const [text, setText] = useState(title)
  const isDone = useRef(false)
  const finish = (next = ''): void => {
    // Taking the field away takes the focus from it, which is no second answer.
    if (isDone.current) return
    isDone.current = true
    onDone(next.trim() === '' || next.trim() === title ? undefined : next.trim())
  }
  return (
    <input
      className="input side-rename"
      aria-label="New title"
      value={text}
      maxLength={200}
      autoFocus
      onFocus={(event) => event.target.select()}
      onChange={(event) => setText(event.target.value)}
      onBlur={() => finish(text)}
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing) return
        if (event.key === 'Enter') finish(text)
        else if (event.key === 'Escape') finish()
        else return
        event.preventDefault()
        event.stopPropagation()
      }}
    />
  )
}
