import { VisibleText } from '../text/visible-text.tsx'

/** A value as indented JSON, in a box that can be scrolled with the keyboard. */
export function Code({ label, value }: { label: string; value: object }) {
  return (
    <pre className="op-code" role="group" aria-label={label} tabIndex={0} dir="ltr">
      <VisibleText text={JSON.stringify(value, null, 2)} />
    </pre>
  )
}
