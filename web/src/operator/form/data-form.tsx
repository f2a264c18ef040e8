import { useEffect, useRef, useState, type ReactNode } from 'react'
import '../css/form.css'
import { ApiProblem } from '../../../../src/client/index.ts'
import { wordsOf } from '../../api/client.ts'
import { Problem } from '../../parts/attempt.tsx'
import { Button } from '../../parts/button.tsx'
import { FoldButton } from '../../parts/fold-button.tsx'
import type { IconName } from '../../parts/icon.tsx'
import { bodyOf, faultWords, isAbout, valueAt, withValue, type Body, type DataField, type Fault } from './data-field.ts'
import { DataInput } from './data-input.tsx'

interface DataFormProps {
  readonly label: string
  /** the button that sends it */
  readonly go: string
  readonly icon?: IconName
  /** the fields of a body: some are only there because of others */
  readonly fieldsOf: (body: Body) => readonly DataField[]
  readonly body: Body
  readonly write: (body: Body) => void
  /** the same key is the same request, sent again */
  readonly send: (body: Body, once: string) => Promise<unknown>
  /** before the buttons */
  readonly children?: ReactNode
  /** other buttons */
  readonly answers?: ReactNode
}

/** All of it as JSON: one field instead of the others, so that the same is sent the same way. */
const ALL: readonly DataField[] = [
  { path: '', label: 'As JSON; docs/http-api.md has all fields', kind: 'json', needed: true },
]

/** A form made of data. What is wrong is said beside its field, and what was typed stays. */
export function DataForm(props: DataFormProps) {
  const { label, go, icon, fieldsOf, body, write, send, children, answers } = props
  const form = useRef<HTMLFormElement>(null)
  const [isJson, setJson] = useState(false)
  const [isMore, setMore] = useState(false)
  const [faults, setFaults] = useState<readonly Fault[]>([])
  const [problem, setProblem] = useState('')
  const [failures, setFailures] = useState(0)
  const [isSending, setSending] = useState(false)
  const [once, setOnce] = useState(() => crypto.randomUUID())
  useEffect(() => form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus(), [failures])
  const fields = isJson ? ALL : fieldsOf(body)
  const more = fields.filter((field) => field.more)

  function fail(found: readonly Fault[], words: string): void {
    const isHere = (fault: Fault): boolean => fields.some(({ path }) => isAbout(path, fault))
    if (more.some(({ path }) => found.some((fault) => isAbout(path, fault)))) setMore(true)
    setFaults(found)
    setProblem(found.length > 0 && found.every(isHere) ? '' : words)
    setFailures(failures + 1)
  }

  async function run(): Promise<void> {
    const found = form.current ? unfilled(form.current) : []
    if (found.length > 0) return fail(found, '')
    if (isSending) return
    setSending(true)
    try {
      await send(bodyOf(fields, body), once)
    } catch (error) {
      fail(error instanceof ApiProblem ? error.errors : [], wordsOf(error))
    } finally {
      setSending(false)
    }
  }

  /** What is no JSON yet would be lost. */
  function toggle(): void {
    const found = form.current ? unfilled(form.current, true) : []
    if (found.length > 0) return fail(found, '')
    write(bodyOf(fields, body))
    setFaults([])
    setJson(!isJson)
  }

  const inputOf = (field: DataField): ReactNode => {
    const { path } = field
    const fault = faults.find((one) => isAbout(path, one))
    return (
      <DataInput
        key={path}
        field={field}
        value={valueAt(body, path)}
        fault={fault && faultWords(fault)}
        set={(value) => {
          setFaults(faults.filter((one) => one !== fault))
          setOnce(crypto.randomUUID())
          write(withValue(body, path, value))
        }}
      />
    )
  }

  return (
    <form
      ref={form}
      className="form column"
      aria-label={label}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void run()
      }}
    >
      <div className="form-fields">{fields.filter((field) => !field.more).map(inputOf)}</div>
      {more.length > 0 && (
        <FoldButton isOpen={isMore} onToggle={setMore}>
          More
        </FoldButton>
      )}
      <div className="form-fields" hidden={!isMore}>
        {more.map(inputOf)}
      </div>
      {children}
      <div className="answers row wrap">
        <Problem text={problem} />
        {(isJson || fields[0]?.path !== '') && (
          <Button kind="quiet" className="form-json-button" onClick={toggle}>
            {isJson ? 'As a form' : 'As JSON'}
          </Button>
        )}
        {answers}
        <Button kind="primary" type="submit" aria-disabled={isSending} {...(icon && { icon })}>
          {go}
        </Button>
      </div>
    </form>
  )
}

/** What the browser itself finds wrong, in its words; or only what cannot be read. */
const unfilled = ({ elements }: HTMLFormElement, isUnread = false): Fault[] =>
  ([...elements] as HTMLInputElement[])
    .filter(({ validity }) => validity && (isUnread ? validity.customError : !validity.valid))
    .map(({ name, validationMessage }) => ({ field: name, message: validationMessage }))
