interface ChoiceProps {
  readonly label: string
  readonly options: readonly string[]
  readonly value: string | undefined
  readonly choose: (value: string | undefined) => void
}

/** One of some words, or none. */
export function Choice({ label, options, value = '', choose }: ChoiceProps) {
  return (
    <label>
      {label}
      <select className="input" value={value} onChange={(event) => choose(event.target.value || undefined)}>
        <option value="">not set</option>
        {options.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </select>
    </label>
  )
}

export function Check({ label, is, set }: { label: string; is: boolean; set: (is: boolean) => void }) {
  return (
    <label className="row dialog-check">
      <input type="checkbox" checked={is} onChange={(event) => set(event.target.checked)} />
      {label}
    </label>
  )
}
