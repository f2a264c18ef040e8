import { useEffect, useState } from 'react'
import { AUDIT_ACTIONS } from '../../../src/contract/audit.ts'
import { may } from '../state/me.ts'
import { AuditRow } from './audit-row.tsx'
import { Listed, NotAllowed, Nothing } from './faces.tsx'
import { Choice, Field } from './field.tsx'
import { goWith, queryOf, type Filters } from './filters.ts'
import type { PageProps } from './page-props.ts'
import { usePages } from './pager.tsx'
import type { AuditRecord } from './shapes.ts'
import { VerifyChain } from './verify-chain.tsx'

const ACTIONS = Object.keys(AUDIT_ACTIONS).filter((action) => action !== 'unrecognised')

/** Who did what, when, and how it went, newest first. */
export function Audit({ me, filters }: PageProps) {
  const { action = '', session = '' } = filters
  const isAllowed = may(me, 'audit:read')
  const path = `/api/audit?${queryOf({ action, session, limit: '100' })}`
  const { list, pager } = usePages<AuditRecord>(isAllowed ? path : null, 5000)
  if (!isAllowed) return <NotAllowed permission="audit:read" />
  return (
    <>
      <p className="op-lead muted">
        Records say who did what, when and how it went. They never hold what was said, asked for or answered.
      </p>
      <VerifyChain />
      <form className="op-filters" aria-label="Filters" onSubmit={(event) => event.preventDefault()}>
        <Choice
          label="Action"
          name="action"
          tab="audit"
          filters={filters}
          options={[['', 'Every action'], ...ACTIONS.map((name) => [name, name] as const)]}
        />
        <SessionFilter filters={filters} />
      </form>
      <Listed list={list} empty={<Nothing icon="search">No record fits.</Nothing>}>
        {(items) => (
          <table className="op-table">
            <thead>
              <tr>
                <th scope="col">When</th>
                <th scope="col">Action</th>
                <th scope="col">Who</th>
                <th scope="col">What</th>
              </tr>
            </thead>
            <tbody>
              {items.map((record) => (
                <AuditRow key={record.id} record={record} />
              ))}
            </tbody>
          </table>
        )}
      </Listed>
      {pager}
    </>
  )
}

/** An id is looked for when it is whole: with Enter, or when the field is left. */
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
          placeholder="id of a session"
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
