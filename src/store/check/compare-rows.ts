import { cleanText } from '../clean-text.ts'

export type Row = Record<string, unknown>

/** Tables with rows per session, and the column that identifies a row. */
export const CHECKED_TABLES = { rounds: 'request_id', approvals: 'id', calls: 'call_id' } as const

/** Compares stored rows with those rebuilt from the log, both under `table key`. */
export function compareRows(
  sessionId: string,
  stored: ReadonlyMap<string, Row>,
  rebuilt: ReadonlyMap<string, Row>,
): string[] {
  const findings: string[] = []
  for (const [name, expected] of rebuilt) {
    const found = stored.get(name)
    if (!found) findings.push(`session ${sessionId}: ${name} is missing`)
    for (const [column, value] of found ? Object.entries(expected) : []) {
      // Earlier versions stored a NUL as it is.
      const held = found?.[column]
      if ((typeof held === 'string' ? cleanText(held) : held) !== value)
        findings.push(`session ${sessionId}: ${name}.${column} differs from the log`)
    }
  }
  for (const name of stored.keys())
    if (!rebuilt.has(name)) findings.push(`session ${sessionId}: ${name} is not in the log`)
  return findings
}
