import { VisibleText } from '../text/visible-text.tsx'

const SIGNS: Readonly<Record<string, readonly [style: string, words: string]>> = {
  '+': ['diff-in', 'added: '],
  '-': ['diff-out', 'removed: '],
  ' ': ['', ''],
}

/** The lines of a unified diff. */
export const UnifiedDiff = ({ diff }: { diff: string }) =>
  diff.split('\n').map((line, at) => <DiffLine key={at} line={line} />)

function DiffLine({ line }: { line: string }) {
  const [style, words] = SIGNS[line.charAt(0)] ?? ['diff-place muted', '']
  return (
    <span className={`diff-line ${style}`}>
      {words !== '' && <span className="sr-only">{words}</span>}
      <VisibleText text={line} />
    </span>
  )
}
