import type { Command } from 'commander'
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { verifyAudit } from '../../../audit/index.ts'
import type { AuditHead, AuditReport, AuditRow } from '../../../contract/audit.ts'
import { Problem } from '../../../contract/problem.ts'
import { subcommand, type Answer, type Cli, type Flags } from '../cli.ts'
import type { Reached } from '../reach.ts'
import { textIn } from '../text-in.ts'

interface VerifyFlags extends Flags {
  readonly head?: string
  readonly file?: string
}

export function auditTopic(segno: Command, { print, looking }: Cli): void {
  const audit = segno.command('audit').description('the sealed record of what was done')
  const verifyLog = looking((reached, { head }: VerifyFlags) =>
    verifyLines(linesOf(Readable.from(exportedText(reached))), head),
  )
  subcommand(audit, 'verify', 'check every seal; exit code 1 if anything was changed')
    .option('--head <seq:hash>', 'the head of an earlier verification: shows if the end was cut off')
    .option('--file <export>', 'check an export instead of the log itself')
    .action(async (flags: VerifyFlags, command: Command) =>
      flags.file === undefined
        ? verifyLog(flags, command)
        : print(await verifyLines(fileLines(flags.file), flags.head), flags),
    )
  subcommand(audit, 'export', 'print all of it as JSON lines, with its seals and its head').action(
    looking((reached) => ({ pieces: exportedText(reached), isJson: true })),
  )
}

export async function verifyLines(lines: AsyncIterable<string>, head: string | undefined): Promise<Answer> {
  const seen: { head?: AuditHead } = {}
  const found = await verifyAudit(rowsOf(lines, seen), head === undefined ? undefined : readHead(head))
  const report = seen.head && seen.head.hash !== found.head.hash ? cutOff(found, seen.head) : found
  return { json: report, text: tell(report), ok: report.ok }
}

export async function* exportedText({ client }: Reached): AsyncGenerator<string> {
  yield* textIn(await client.request('GET', '/api/audit/export'), 'application/x-ndjson')
}

async function* linesOf(input: Readable): AsyncGenerator<string> {
  try {
    yield* createInterface({ input, crlfDelay: Infinity })
  } finally {
    input.destroy()
  }
}

async function* fileLines(file: string): AsyncGenerator<string> {
  try {
    yield* linesOf(createReadStream(file))
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

/** The export ends with its head, but rows before it are missing. */
function cutOff(report: AuditReport, { seq }: AuditHead): AuditReport {
  const finding = `the export ends with row ${report.head.seq}, but was made with row ${seq} as its last`
  return { ...report, ok: false, findings: [...report.findings, finding] }
}

/** Anything else becomes a row that breaks the chain. */
function readLine(line: string): AuditRow | { head: AuditHead } {
  try {
    const read = JSON.parse(line) as Partial<AuditRow> & { head?: AuditHead }
    if (typeof read.seq === 'number' && typeof read.tenant === 'string' && typeof read.body === 'string')
      return read as AuditRow
    if (typeof read.head?.seq === 'number' && typeof read.head.hash === 'string') return { head: read.head }
  } catch {
    // Not JSON.
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
