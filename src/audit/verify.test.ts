import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { verifies } from '../../tests/support/verifies.ts'
import { auditRecord, type AuditRow } from '../contract/audit.ts'
import { sealOf } from '../store/index.ts'
import { exportAudit } from './export.ts'
import { verifyAudit } from './verify.ts'

/** A log of rows with this many records each, sealed as a store seals it. */
function sealed(...sizes: number[]): AuditRow[] {
  let previous = ''
  return sizes.map((size, i) => {
    const at = 1_700_000_000_000 + i
    const records = Array.from({ length: size }, (_, n) =>
      auditRecord(
        n % 2 === 0 ? 'tool_executed' : 'message_complete',
        { id: `${i}.${n}`, at, userId: 'ada', tenant: 'local', sessionId: `s${i % 3}`, requestId: null },
        { tool: `tool_${n}`, durationMs: i * n, outcome: 'ok', estimated: n % 3 === 0 },
      ),
    )
    const row = { seq: i + 1, tenant: i % 2 === 0 ? 'local' : 'acme', at, body: JSON.stringify(records) }
    previous = sealOf(previous, row)
    return { ...row, hash: previous }
  })
}

const headOf = (rows: readonly AuditRow[]) => ({ seq: rows.at(-1)?.seq ?? 0, hash: rows.at(-1)?.hash ?? '' })

describe('a log that nobody touched', () => {
  verifies('GOV-30', 'verifies, and says how much it holds and where it ends', async () => {
    const rows = sealed(2, 1, 3)
    const report = { ok: true, rows: 3, records: 6, head: headOf(rows), findings: [] }
    expect(await verifyAudit(rows)).toEqual(report)
    expect(await verifyAudit(rows, headOf(rows))).toEqual(report)
  })

  test('that has grown since verifies against the head from before', async () => {
    const rows = sealed(2, 1, 3)
    expect(await verifyAudit(rows, headOf(rows.slice(0, 2)))).toMatchObject({ ok: true })
    expect(await verifyAudit(rows, { seq: 0, hash: '' })).toMatchObject({ ok: true })
  })

  test('verifies when it is empty', async () => {
    const head = { seq: 0, hash: '' }
    expect(await verifyAudit([])).toEqual({ ok: true, rows: 0, records: 0, head, findings: [] })
  })
})

/** Every way to change one thing in a log, each away from what it was. */
const log = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 2, maxLength: 8 }).map((sizes) => sealed(...sizes))
const at = (rows: readonly AuditRow[], n: number): number => n % rows.length
const nth = fc.nat(1000)

function finds(what: string, mutate: (rows: AuditRow[], n: number, m: number) => AuditRow[]): void {
  verifies('GOV-30', `finds ${what}`, async () => {
    await fc.assert(
      fc.asyncProperty(log, nth, nth, async (rows, n, m) => {
        const changed = mutate([...rows], n, m)
        fc.pre(JSON.stringify(changed) !== JSON.stringify(rows))
        const { ok, findings } = await verifyAudit(changed, headOf(rows))
        expect(ok).toBe(false)
        expect(findings.length).toBeGreaterThan(0)
      }),
      { numRuns: 200 },
    )
  })
}

type UnknownRecord = Record<string, unknown>

/** Another value in the place of one, of the same kind where there is one. */
function other(value: unknown): unknown {
  if (typeof value === 'number') return value + 1
  if (typeof value === 'boolean') return !value
  return typeof value === 'string' ? `${value}x` : 'something'
}

describe('a log that was changed', () => {
  finds('any field of any record edited', (rows, n, m) => {
    const i = at(rows, n)
    const row = rows[i] as AuditRow
    const records = JSON.parse(row.body) as UnknownRecord[]
    const record = records[m % records.length] as UnknownRecord
    const metadata = record['metadata'] as UnknownRecord
    const places = [
      ...Object.keys(record).map((key) => [record, key] as const),
      ...Object.keys(metadata).map((key) => [metadata, key] as const),
    ]
    const [holder, key] = places[(n + m) % places.length] as readonly [UnknownRecord, string]
    holder[key] = other(holder[key])
    rows[i] = { ...row, body: JSON.stringify(records) }
    return rows
  })
  finds('any column of any row edited', (rows, n, m) => {
    const i = at(rows, n)
    const column = (['seq', 'tenant', 'at', 'body', 'hash'] as const)[m % 5] as keyof AuditRow
    rows[i] = { ...(rows[i] as AuditRow), [column]: other((rows[i] as AuditRow)[column]) }
    return rows
  })
  finds('a row removed', (rows, n) => rows.toSpliced(at(rows, n), 1))
  finds('a row removed and the rest numbered anew', (rows, n) =>
    rows.toSpliced(at(rows, n), 1).map((row, i) => ({ ...row, seq: i + 1 })),
  )
  finds('two rows swapped', (rows, n, m) => {
    const [i, k] = [at(rows, n), at(rows, m)]
    ;[rows[i], rows[k]] = [rows[k] as AuditRow, rows[i] as AuditRow]
    return rows
  })
  finds('two rows swapped and numbered anew', (rows, n, m) => {
    const [i, k] = [at(rows, n), at(rows, m)]
    ;[rows[i], rows[k]] = [rows[k] as AuditRow, rows[i] as AuditRow]
    return rows.map((row, place) => ({ ...row, seq: place + 1 }))
  })
  finds('a row twice', (rows, n, m) => rows.toSpliced(at(rows, m), 0, rows[at(rows, n)] as AuditRow))
  finds('a row that was slipped in, sealed as if it belonged there', (rows, n) => {
    const i = at(rows, n)
    const row = { ...(rows[i] as AuditRow), seq: i + 1, body: '[]' }
    const forged = { ...row, hash: sealOf(rows[i - 1]?.hash ?? '', row) }
    return rows.toSpliced(i, 0, forged).map((one, place) => ({ ...one, seq: place + 1 }))
  })
  finds('its end cut off, against the head from before', (rows, n) => rows.slice(0, at(rows, n)))
  finds('everything sealed anew after an edit, against the head from before', (rows, n) => {
    let previous = ''
    return rows.map((row, i) => {
      const edited = i === at(rows, n) ? { ...row, body: '[]' } : row
      previous = sealOf(previous, edited)
      return { ...edited, hash: previous }
    })
  })

  verifies('GOV-30', 'shows rows that nobody has sealed', async () => {
    const rows = sealed(1, 1, 1)
    rows[2] = { ...(rows[2] as AuditRow), hash: null }
    expect(await verifyAudit(rows)).toMatchObject({ ok: false, findings: ['row 3 is not sealed'] })
  })

  test('says which row it is, and goes on after it', async () => {
    const rows = sealed(1, 1, 1, 1, 1, 1)
    rows[1] = { ...(rows[1] as AuditRow), at: 5 }
    const { findings } = await verifyAudit(rows.toSpliced(3, 2), headOf(rows))
    expect(findings).toEqual([expect.stringContaining('row 2 '), 'rows 4 to 5 are missing'])
  })

  test('says that a row stands again', async () => {
    const rows = sealed(1, 1, 1)
    const { findings } = await verifyAudit([...rows, rows[1] as AuditRow])
    expect(findings).toEqual(['row 2 stands again or out of order after row 3'])
  })

  test('everywhere is not told row by row', async () => {
    const rows = sealed(...Array<number>(500).fill(1)).map((row) => ({ ...row, at: 1 }))
    const { findings } = await verifyAudit(rows)
    expect(findings).toHaveLength(101)
    expect(findings.at(-1)).toBe('and 400 more')
  })
})

describe('an export', () => {
  async function linesOf(rows: readonly AuditRow[]): Promise<string[]> {
    const lines: string[] = []
    for await (const line of exportAudit(rows)) lines.push(line)
    return lines
  }

  verifies('GOV-30', 'has a row a line and its head at the end, and verifies like the log', async () => {
    const rows = sealed(2, 1, 3)
    const parsed = (await linesOf(rows)).map((line) => JSON.parse(line) as AuditRow)
    expect(parsed.slice(0, -1)).toEqual(rows)
    expect(parsed.at(-1)).toEqual({ head: headOf(rows) })
    expect(await verifyAudit(parsed.slice(0, -1), headOf(rows))).toMatchObject({ ok: true })
  })

  test('puts every row on one line, whatever a tenant is called', async () => {
    const rows = sealed(1).map((row) => ({ ...row, tenant: 'a\nb\u2028' }))
    expect((await linesOf(rows)).map((line) => line.trimEnd().split('\n').length)).toEqual([1, 1])
  })

  test('of nothing is only a head', async () => {
    expect(await linesOf([])).toEqual(['{"head":{"seq":0,"hash":""}}\n'])
  })

  test('asks for a row only when the one before was taken', async () => {
    let asked = 0
    function* rows() {
      for (const row of sealed(1, 1, 1)) {
        asked += 1
        yield row
      }
    }
    const lines = exportAudit(rows())
    await lines.next()
    expect(asked).toBe(1)
    await lines.return(undefined)
  })
})
