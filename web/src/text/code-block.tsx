import { memo, useEffect, useRef, useState } from 'react'
import type { Code } from './markdown-tree.ts'
import { VisibleText } from './visible-text.tsx'

const SHOW_OUTCOME_MS = 2_000
// While code streams in, only its last part is drawn again.
const PART_LENGTH = 4_000

export const CodeBlock = memo(function CodeBlock({ block }: { block: Code }) {
  const code = useRef<HTMLElement>(null)
  return (
    <div className="md-code">
      <div className="md-code-head">
        <span className="md-code-info">
          <VisibleText text={block.info === '' ? 'text' : block.info} />
        </span>
        <CopyButton text={block.text} shown={() => code.current} />
      </div>
      <pre tabIndex={0} role="group" aria-label="Code" dir="ltr">
        <code ref={code}>
          {partsOf(block.text).map((part, at) => (
            <VisibleText key={at} text={part} />
          ))}
        </code>
      </pre>
    </div>
  )
})

function partsOf(text: string): string[] {
  const parts: string[] = []
  let from = 0
  while (text.length - from > PART_LENGTH) {
    const lineEnd = text.indexOf('\n', from + PART_LENGTH)
    if (lineEnd < 0) break
    parts.push(text.slice(from, lineEnd + 1))
    from = lineEnd + 1
  }
  return [...parts, text.slice(from)]
}

function CopyButton({ text, shown }: { text: string; shown: () => HTMLElement | null }) {
  const [outcome, setOutcome] = useState<string>()
  useEffect(() => {
    if (outcome === undefined) return undefined
    const timer = setTimeout(() => setOutcome(undefined), SHOW_OUTCOME_MS)
    return () => clearTimeout(timer)
  }, [outcome])
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text)
      setOutcome('Copied')
    } catch {
      // A page that is not served over https has no clipboard: the reader presses the keys.
      const element = shown()
      if (element !== null) getSelection()?.selectAllChildren(element)
      setOutcome('Selected')
    }
  }
  return (
    <button type="button" className="md-copy" aria-label={outcome ?? 'Copy code'} onClick={() => void copy()}>
      {outcome ?? 'Copy'}
    </button>
  )
}
