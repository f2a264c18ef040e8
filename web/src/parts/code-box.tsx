import { VisibleText } from '../text/visible-text.tsx'
import type { Spaces } from '../text/visible.ts'

/** Text as it is, in a box that can be scrolled with the keyboard; a value becomes indented JSON. */
export function CodeBox({ label, content, spaces }: { label: string; content: string | object; spaces?: Spaces }) {
  return (
    <pre className="code-box" role="group" aria-label={label} tabIndex={0} dir="ltr">
      <VisibleText
        text={typeof content === 'string' ? content : JSON.stringify(content, null, 2)}
        {...(spaces && { spaces })}
      />
    </pre>
  )
}
