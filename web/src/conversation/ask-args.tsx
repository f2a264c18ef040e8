import { useCallback, useEffect, useRef, useState } from 'react'
import { VisibleText } from '../text/visible-text.tsx'

/** What would be done, whole. Where not all of it fits, it says so: nobody should decide about a half. */
export function AskArgs({ label, text }: { label: string; text: string }) {
  const box = useRef<HTMLPreElement>(null)
  const [below, setBelow] = useState(0)
  const look = useCallback((): void => {
    if (box.current) setBelow(linesBelow(box.current))
  }, [])
  useEffect(() => {
    const sized = new ResizeObserver(look)
    if (box.current) sized.observe(box.current)
    return () => sized.disconnect()
  }, [look])
  return (
    <div className="conv-ask-args">
      <pre ref={box} className="conv-box" tabIndex={0} role="group" aria-label={label} dir="ltr" onScroll={look}>
        <VisibleText text={text} />
      </pre>
      {below > 0 && (
        <button
          type="button"
          className="conv-fold"
          onClick={() => box.current?.scrollBy({ top: box.current.clientHeight * 0.8 })}
        >
          {below === 1 ? '1 more line below' : `${below} more lines below`}
        </button>
      )}
    </div>
  )
}

function linesBelow(box: HTMLElement): number {
  const hidden = box.scrollHeight - box.scrollTop - box.clientHeight
  const line = parseFloat(getComputedStyle(box).lineHeight)
  // What is left at the end is the space under the last line.
  return Math.max(0, Math.round((hidden - 8) / line))
}
