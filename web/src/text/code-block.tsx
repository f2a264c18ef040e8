import { memo, useRef } from 'react'
import { useCopy } from '../parts/copy-button.tsx'
import type { Code } from './markdown-tree.ts'
import { VisibleText } from './visible-text.tsx'

// While code streams in, only its last part is drawn again.
const PART_LENGTH = 4_000

export const CodeBlock = memo(function CodeBlock({ block }: { block: Code }) {
  const code = useRef<HTMLElement>(null)
  return (
    <div className="md-code">
      <div className="md-code-head row">
        <VisibleText as="span" className="ellipsis" text={block.info === '' ? 'text' : block.info} />
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
  // A page that is not served over https has no clipboard: the reader presses the keys.
  const { outcome, copy } = useCopy(
    () => text,
    () => getSelection()?.selectAllChildren(shown() ?? document),
  )
  return (
    <button type="button" className="md-copy" aria-label={outcome ?? 'Copy code'} onClick={copy}>
      {outcome ?? 'Copy'}
    </button>
  )
}
