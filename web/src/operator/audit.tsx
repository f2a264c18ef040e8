import { useEffect, useState } from 'react'
import type { Wire } from '../../../src/client/index.ts'
import { AUDIT_ACTIONS, type AuditRecord } from '../../../src/contract/audit.ts'
import { CodeBox } from '../parts/code-box.tsx'
import { clock, duration, money, moment } from '../parts/format.ts'
import { Form } from '../parts/form.tsx'
import { Icon } from '../parts/icon.tsx'
import { VisibleText } from '../text/visible-text.tsx'
import { Choice, Field } from './field.tsx'
import { goWith, queryOf, type Filters, type PageProps } from './filters.ts'
import { Nothing, PolledList } from './list-states.tsx'
import { usePages } from './pager.tsx'
import { Table, type Column } from './table.tsx'
import { VerifyChain } from './verify-chain.tsx'

const ACTIONS = Object.keys(AUDIT_ACTIONS).filter((action) => action !== 'unrecognised')
const TONES = { info: '', warning: 'warn', error: 'danger' } as const

const COLUMNS: readonly Column<Wire<AuditRecord>>[] = [
  ['When', ({ at }) => <span title={moment(at)}>{isToday(at) ? clock(at) : moment(at)}</span>],
  ['Action', (record) => <Action {...record} />, 'op-wide'],
  ['Who', ({ userId }) => <VisibleText text={userId} />],
  ['What', (record) => <VisibleText text={lineOf(record)} />, 'op-wide muted'],
]

/** Who did what, when, and how it went, newest first. */
export function Audit({ filters }: PageProps) {
  const { action = '', session = '' } = filters
  const path = `/api/audit?${queryOf({ action, session, limit: '100' })}`
  const { list, pager } = usePages<Wire<AuditRecord>>(path, 5000)
  return (
    <>
      <p className="op-lead muted">
        Records say who did what, when and how it went. They never hold what was said, asked for or answered.
      </p>
      <VerifyChain />
      <Form className="op-filters" label="Filters">
        <Choice
          label="Action"
          name="action"
          tab="audit"
          filters={filters}
          options={[['', 'Every action'], ...ACTIONS.map((name) => [name, name] as const)]}
        />
        <SessionFilter filters={filters} />
      </Form>
      <PolledList list={list} empty={<Nothing icon="search">No record fits.</Nothing>}>
        {(items) => (
          <Table
            columns={COLUMNS}
            items={items}
            keyOf={({ id }) => id}
            detail={(record) => <CodeBox label="All of the record" content={record} />}
          />
        )}
      </PolledList>
      {pager}
    </>
  )
}

function Action({ severity, action }: Pick<AuditRecord, 'severity' | 'action'>) {
  return (
    <span className={`op-state ${TONES[severity]}`}>
      {severity !== 'info' && <Icon name={severity === 'error' ? 'cross' : 'warn'} />}
      <VisibleText text={action} />
      {severity !== 'info' && <span className="sr-only">({severity})</span>}
    </span>
  )
}

/** The fields of a record in one readable line, without the ids. */
function lineOf({ metadata }: Pick<AuditRecord, 'metadata'>): string {
  return Object.entries(metadata)
    .filter(([name]) => !/(Id|Hash)$/.test(name))
    .map(([name, value]) => {
      if (name === 'durationMs') return duration(Number(value))
      if (/cost$/i.test(name)) return `${spelled(name)} ${money(Number(value))}`
      if (value === true) return spelled(name)
      if (value === false) return `not ${spelled(name)}`
      return typeof value === 'number' && name !== 'status' ? `${value} ${spelled(name)}` : String(value)
    })
    .join(' · ')
}

const spelled = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

const isToday = (at: string): boolean => new Date(at).toDateString() === new Date().toDateString()

/** Filters on Enter or when the field is left, not with each letter. */
function SessionFilter({ filters }: { filters: Filters }) {
  const { session = '' } = filters
  const [text, setText] = useState(session)
  useEffect(() => setText(session), [session])
  const look = (): void => {
    if (text.trim() !== session) goWith('audit', { ...filters, session: text.trim() })
  }
  return (
    <Field label="Conversation">
      {(id) => (
        <input
          id={id}
          className="input"
          placeholder="id of a conversation"
          value={text}
          onChange={(event) => setText(event.target.value)}
          onBlur={look}
          onKeyDown={(event) => {
            if (event.key === 'Enter') look()
          }}
        />
      )}
    </Field>
  )
}
