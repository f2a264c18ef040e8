import { Fragment, memo } from 'react'
import { visible, type Spaces } from './visible.ts'

/** Text that nobody vouches for, with nothing hidden in it. */
export const VisibleText = memo(function VisibleText({ text, spaces }: { text: string; spaces?: Spaces }) {
  return visible(text, spaces).map((piece, at) =>
    typeof piece === 'string' ? (
      <Fragment key={at}>{piece}</Fragment>
    ) : (
      <span key={at} className="mark" title="Characters that cannot be seen, shown as their numbers">
        {piece.mark}
      </span>
    ),
  )
})
