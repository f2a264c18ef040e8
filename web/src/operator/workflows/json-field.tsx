import { Field } from '../field.tsx'

interface JsonFieldProps {
  readonly label: string
  readonly rows: number
  readonly value: string
  readonly write: (text: string) => void
  readonly focus?: (element: HTMLElement | null) => void
}

/** Where people write JSON. */
export const JsonField = ({ label, rows, value, write, focus }: JsonFieldProps) => (
  <Field label={label}>
    {(id) => (
      <textarea
        id={id}
        ref={focus}
        className="input flow-json"
        rows={rows}
        spellCheck={false}
        value={value}
        onChange={(event) => write(event.target.value)}
      />
    )}
  </Field>
)
