import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { verifyAudit, type AuditReport } from '../../audit/index.ts'
import type { AuditHead, AuditRow } from '../../contract/audit.ts'
import { Problem } from '../../contract/problem.ts'
import { textIn } from './read-answer.ts'
import type { Reached } from './reach.ts'

/** Checks every seal of the audit log, or of an export of it. */
export async function verifyCommand(
  lines: AsyncIterable<string>,
  head: string | undefined,
  json: boolean,
): Promise<{ text: string; ok: boolean }> {
  const seen: { head?: AuditHead } = {}
  const found = await verifyAudit(rowsOf(lines, seen), head === undefined ? undefined : readHead(head))
  const report = seen.head && seen.head.hash !== found.head.hash ? cutOff(found, seen.head) : found
  return { text: json ? JSON.stringify(report) : tell(report), ok: report.ok }
}

/** The audit log of a running or stopped Segno, line by line. */
export async function* exportedLines({ ask }: Reached): AsyncGenerator<string> {
  const input = textIn(await ask('GET', '/api/audit/export'), 'application/x-ndjson')
  try {
    yield* createInterface({ input, crlfDelay: Infinity })
  } finally {
    // Who stops reading early must not leave it reading from a store that is about to close.
    input.destroy()
  }
}

export async function* fileLines(file: string): AsyncGenerator<string> {
  try {
    yield* createInterface({ input: createReadStream(file), crlfDelay: Infinity })
  } catch (cause) {
    throw new Problem('VALIDATION_ERROR', `${file} cannot be read: ${(cause as Error).message}.`, { cause })
  }
}

async function* rowsOf(lines: AsyncIterable<string>, seen: { head?: AuditHead }): AsyncGenerator<AuditRow> {
  for await (const line of lines) {
    if (line === '') continue
    const read = readLine(line)
    if ('seq' in read) yield read
    else seen.head = read.head
  }
}

/** An export ends with its head. */
function cutOff(report: AuditReport, { seq }: AuditHead): AuditReport {
  const finding = `the export ends with row ${report.head.seq}, but was made with row ${seq} as its last`
  return { ...report, ok: false, findings: [...report.findings, finding] }
}

/** What is neither a row nor a head was put there by somebody: it breaks the chain. */
function readLine(line: string): AuditRow | { head: AuditHead } {
  try {
    const read = JSON.parse(line) as Partial<AuditRow> & { head?: AuditHead }
    if (typeof read.seq === 'number' && typeof read.tenant === 'string' && typeof read.body === 'string')
      return read as AuditRow
    if (typeof read.head?.seq === 'number' && typeof read.head.hash === 'string') return { head: read.head }
  } catch {
    // Not even JSON.
  }
  return { seq: -1, tenant: '', at: 0, body: '', hash: null }
}

function readHead(text: string): AuditHead {
  const [, seq, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text) ?? []
  if (seq === undefined || hash === undefined)
    throw new Problem('VALIDATION_ERROR', '--head must look like 120:4f1c…, as an earlier verification printed it.')
  return { seq: Number(seq), hash }
}

function tell({ ok, rows, records, head, findings }: AuditReport): string {
  const found = findings.map((finding) => `  ${finding}`)
  const sum = `${records} records in ${rows} rows; head ${head.seq}:${head.hash}`
  return ok ? `The audit log is whole: ${sum}` : `The audit log was changed: ${sum}\n${found.join('\n')}`
}
