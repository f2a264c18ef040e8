import { Fragment, memo } from 'react'
import { visible, type Spaces } from './visible.ts'

interface VisibleTextProps {
  readonly text: string
  readonly spaces?: Spaces
  /** the element around it; without it there is none */
  readonly as?: 'bdi' | 'code' | 'div' | 'dt' | 'li' | 'mark' | 'p' | 'span' | 'strong' | 'td'
  readonly className?: string
}

/** Text that nobody vouches for, with nothing hidden in it. */
export const VisibleText = memo(function VisibleText({ text, spaces, as: Tag, className }: VisibleTextProps) {
  const pieces = visible(text, spaces).map((piece, at) =>
    typeof piece === 'string' ? (
      <Fragment key={at}>{piece}</Fragment>
    ) : (
      <span key={at} className="mark" title="Characters that cannot be seen, shown as their numbers">
        {piece.mark}
      </span>
    ),
  )
  return Tag ? <Tag className={className}>{pieces}</Tag> : pieces
})
