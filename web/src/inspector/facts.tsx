import { useState, type ReactNode } from 'react'
import { IconButton } from '../parts/button.tsx'

/** Names and values, one below the other. What has no value is left out. */
export function Facts({
  of,
  two = false,
}: {
  of: readonly (readonly [name: string, value: ReactNode])[]
  /** in two columns: they are short */
  two?: boolean
}) {
  return (
    <dl className={two ? 'insp-facts two' : 'insp-facts'}>
      {of.map(([name, value]) =>
        value === undefined || value === '' ? null : (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ),
      )}
    </dl>
  )
}

/** Something that is more often copied than read. */
export function Id({ name, value, short = 12 }: { name: string; value: string; short?: number }) {
  return (
    <span className="insp-id">
      <code title={value}>{value.length > short ? `${value.slice(0, short)}…` : value}</code>
      <CopyButton label={`Copy ${name}`} text={value} />
    </span>
  )
}

export function CopyButton({ label, text }: { label: string; text: string }) {
  const [isCopied, setCopied] = useState(false)
  return (
    <IconButton
      label={isCopied ? 'Copied' : label}
      icon={isCopied ? 'check' : 'copy'}
      onClick={() => {
        void navigator.clipboard.writeText(text).then(() => {
          setCopied(true)
          setTimeout(() => setCopied(false), 1500)
        })
      }}
    />
  )
}
