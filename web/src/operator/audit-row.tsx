import { useId, useState } from 'react'
import { clock, duration, money, moment } from '../parts/format.ts'
import { Icon } from '../parts/icon.tsx'
import { VisibleText } from '../text/visible-text.tsx'
import type { AuditRecord } from './shapes.ts'
import { Code } from './code.tsx'
import { Unfold } from './unfold.tsx'

const TONES = { info: '', warning: 'warn', error: 'danger' } as const

/** A record in one line; it unfolds to everything it says. */
export function AuditRow({ record }: { record: AuditRecord }) {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const { at, action, userId, severity } = record
  return (
    <>
      <tr className={isOpen ? 'op-row open' : 'op-row'}>
        <Unfold at={at} isOpen={isOpen} shows={id} onTurn={() => setOpen(!isOpen)}>
          {isToday(at) ? clock(at) : moment(at)}
        </Unfold>
        <td data-label="Action" className="op-wide">
          <span className={`op-state ${TONES[severity]}`}>
            {severity !== 'info' && <Icon name={severity === 'error' ? 'cross' : 'warn'} />}
            <VisibleText text={action} />
            {severity !== 'info' && (
              <span className="sr-only">
                (<VisibleText text={severity} />)
              </span>
            )}
          </span>
        </td>
        <td data-label="Who">
          <VisibleText text={userId} />
        </td>
        <td data-label="What" className="op-wide muted">
          <VisibleText text={lineOf(record)} />
        </td>
      </tr>
      {isOpen && (
        <tr className="op-detail" id={id}>
          <td colSpan={4}>
            <Code label="All of the record" value={record} />
          </td>
        </tr>
      )}
    </>
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
