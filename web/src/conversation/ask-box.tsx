import { useCallback, useEffect, useRef, useState, type ReactNode } from 'react'

/** Something to read before deciding. Where not all of it fits, it says so: nobody should decide about a half. */
export function AskBox({ label, children }: { label: string; children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null)
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
      <div
        ref={box}
        className="code-box conv-box"
        tabIndex={0}
        role="group"
        aria-label={label}
        dir="ltr"
        onScroll={look}
      >
        {children}
      </div>
      {below > 0 && (
        <button
          type="button"
          className="fold"
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
