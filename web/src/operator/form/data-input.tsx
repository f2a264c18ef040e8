import { useId, useState, type ReactNode } from 'react'
import { Icon } from '../../parts/icon.tsx'
import { VisibleText } from '../../text/visible-text.tsx'
import { visibleText } from '../../text/visible.ts'
import { plainText, plainValue, readJson, type DataField } from './data-field.ts'

interface DataInputProps {
  readonly field: DataField
  readonly value: unknown
  readonly set: (value: unknown) => void
  /** what is wrong with it */
  readonly fault: string | undefined
}

interface InputProps extends Pick<DataInputProps, 'field' | 'value' | 'set'> {
  /** of the first control, which has the focus if something is wrong */
  readonly given: object
}

/** A label, a control, what it is for and what is wrong with it. */
export function DataInput({ field, value, set, fault }: DataInputProps) {
  const { path, label, help, kind, needed = false, more = false } = field
  const id = useId()
  const isGroup = kind === 'many' || kind === 'rows'
  const about = [...(fault === undefined ? [] : [`${id}-fault`]), ...(help === undefined ? [] : [`${id}-help`])]
  const described = about.length > 0 && { 'aria-describedby': about.join(' ') }
  const given = {
    ...(isGroup ? {} : { id, required: needed, ...described }),
    name: path,
    'aria-invalid': fault !== undefined,
  }
  const control = controlOf({ field, value: value ?? field.otherwise, set, given })
  const words = `${visibleText(label)}${needed || more || kind === 'check' ? '' : ' (optional)'}`
  return (
    <Frame isGroup={isGroup} kind={kind} {...described}>
      {isGroup ? <legend>{words}</legend> : <label htmlFor={id}>{words}</label>}
      {control}
      {fault !== undefined && (
        <p id={`${id}-fault`} className="form-fault danger">
          <Icon name="warn" />
          <VisibleText text={fault} />
        </p>
      )}
      {help !== undefined && (
        <small id={`${id}-help`} className="form-help">
          <VisibleText text={help} />
        </small>
      )}
    </Frame>
  )
}

interface FrameProps {
  readonly kind: DataField['kind']
  readonly isGroup: boolean
  readonly children: ReactNode
}

function Frame({ isGroup, kind, ...rest }: FrameProps) {
  const className = `op-field form-${kind ?? 'line'}`
  return isGroup ? <fieldset className={className} {...rest} /> : <div className={className}>{rest.children}</div>
}

function controlOf(props: InputProps): ReactNode {
  const { field, value, set, given } = props
  const { kind = 'text', placeholder, scale, min, max, step } = field
  const text = typeof value === 'string' ? value : ''
  switch (kind) {
    case 'pick':
      return <Pick {...props} />
    case 'many':
      return <Many {...props} />
    case 'rows':
      return <Rows {...props} />
    case 'json':
      return <JsonText {...props} />
    case 'check':
      return (
        <input {...given} type="checkbox" checked={value === true} onChange={({ target }) => set(target.checked)} />
      )
    case 'long':
      return (
        <textarea
          {...given}
          className="input"
          rows={3}
          value={text}
          onChange={({ target }) => set(target.value || undefined)}
        />
      )
    case 'number':
      return (
        <input
          {...given}
          className="input"
          type="number"
          {...{ min, max, placeholder }}
          step={scale === undefined ? step : 'any'}
          value={typeof value === 'number' ? value / (scale ?? 1) : ''}
          onChange={({ target: { value: typed } }) =>
            set(typed === '' ? undefined : scale === undefined ? Number(typed) : Math.round(Number(typed) * scale))
          }
        />
      )
    case 'url':
    case 'secret':
    case 'text':
      return (
        <input
          {...given}
          className="input"
          type={kind === 'secret' ? 'password' : kind}
          autoComplete="off"
          placeholder={placeholder}
          value={text}
          onChange={({ target }) => set(target.value || undefined)}
        />
      )
  }
}

/** One of some values, or one that is typed. */
function Pick({ field: { options = [], own, label }, value, set, given }: InputProps) {
  const isKnown = options.some(([one]) => one === value)
  const [isOwn, setOwn] = useState(!isKnown && own !== undefined && value !== undefined)
  // What was chosen elsewhere can be something that is not offered here.
  const all =
    isKnown || value === undefined || own !== undefined ? options : [...options, [value, plainText(value)] as const]
  const at = all.findIndex(([one]) => one === value)
  return (
    <>
      <select
        {...given}
        {...(isOwn && { 'aria-invalid': undefined })}
        className="input"
        value={isOwn ? 'own' : at < 0 ? '' : at}
        onChange={({ target }) => {
          setOwn(target.value === 'own')
          set(all[Number(target.value)]?.[0])
        }}
      >
        {at < 0 && !isOwn && <option value="">Choose…</option>}
        {all.map(([, words], index) => (
          <option key={words} value={index}>
            {visibleText(words)}
          </option>
        ))}
        {own !== undefined && <option value="own">{own}…</option>}
      </select>
      {isOwn && (
        <input
          {...given}
          id={undefined}
          className="input form-own"
          aria-label={`${label}: ${own ?? ''}`}
          value={typeof value === 'string' ? value : ''}
          onChange={({ target }) => set(target.value || undefined)}
        />
      )}
    </>
  )
}

/** Some of some texts, and others with blanks between. */
function Many({ field: { options = [], own = '' }, value, set, given }: InputProps) {
  const chosen = Array.isArray(value) ? value.map(String) : []
  const isOffered = (one: string): boolean => options.some(([offered]) => offered === one)
  const [text, write] = useState(() => chosen.filter((one) => !isOffered(one)).join(' '))
  const say = (offered: readonly unknown[], typed: string): void => {
    const all = [...offered, ...typed.split(/[\s,]+/).filter((one) => one !== '')]
    set(all.length > 0 ? all : undefined)
  }
  const ticked = options.map(([one]) => one).filter((one) => chosen.includes(String(one)))
  return (
    <>
      {options.map(([one, words], at) => (
        <label key={words} className="row form-tick">
          <input
            {...(at === 0 && given)}
            type="checkbox"
            checked={ticked.includes(one)}
            onChange={({ target }) =>
              say(target.checked ? [...ticked, one] : ticked.filter((other) => other !== one), text)
            }
          />
          {words}
        </label>
      ))}
      <label>
        {own}
        <input
          className="input"
          value={text}
          onChange={({ target }) => {
            write(target.value)
            say(ticked, target.value)
          }}
        />
      </label>
    </>
  )
}

/** Names and what they must be. There is always an empty row to go on with; one that is emptied is gone. */
function Rows({ field: { label, path }, value, set, given }: InputProps) {
  const [rows, setRows] = useState(() =>
    Object.entries(value ?? {}).map(([name, must]) => [name, plainText(must)] as const),
  )
  const write = (at: number, row: readonly [string, string]): void => {
    const now = rows.toSpliced(at, 1, row).filter(([name, must]) => name !== '' || must !== '')
    setRows(now)
    set(Object.fromEntries(now.filter(([name]) => name !== '').map(([name, must]) => [name, plainValue(must)])))
  }
  return [...rows, ['', ''] as const].map(([name, must], at) => (
    <div key={at} className="row form-row">
      <input
        {...(at === 0 && given)}
        className="input"
        name={path}
        aria-label={`${label}, ${at + 1}: field`}
        placeholder="plan"
        required={must !== ''}
        value={name}
        onChange={({ target }) => write(at, [target.value, must])}
      />
      <span>is</span>
      <input
        className="input"
        aria-label={`${label}, ${at + 1}: value`}
        placeholder="pro"
        value={must}
        onChange={({ target }) => write(at, [name, target.value])}
      />
    </div>
  ))
}

/** What was pasted can be one long line. */
const FEWEST_ROWS = 4

/** An object as JSON. While it is none, what it was before stays, and nothing is sent. */
function JsonText({ field: { path }, value, set, given }: InputProps) {
  const [text, write] = useState(() => (value === undefined ? '' : JSON.stringify(value, null, 2)))
  return (
    <textarea
      {...given}
      className="input mono"
      rows={Math.min(path === '' ? 16 : 10, Math.max(FEWEST_ROWS, text.split('\n').length + 1))}
      spellCheck={false}
      value={text}
      onChange={({ target }) => {
        const read = readJson(target.value)
        const isWrong = read === undefined && target.value.trim() !== ''
        target.setCustomValidity(isWrong ? 'This is no JSON object. A comma or a quote may be missing.' : '')
        write(target.value)
        if (!isWrong) set(read)
      }}
    />
  )
}
