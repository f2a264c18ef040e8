import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Where `segno chat` was last, by server; what cannot be read is nothing. */
export function lastSession(home: string, server: string | undefined): string | undefined {
  return read(home)[server ?? 'here']
}

export function keepLastSession(home: string, server: string | undefined, sessionId: string): void {
  mkdirSync(home, { recursive: true })
  writeFileSync(join(home, 'chat.json'), JSON.stringify({ ...read(home), [server ?? 'here']: sessionId }), {
    mode: 0o600,
  })
}

function read(home: string): Readonly<Record<string, string>> {
  try {
    const kept = JSON.parse(readFileSync(join(home, 'chat.json'), 'utf8')) as unknown
    return typeof kept === 'object' && kept !== null ? (kept as Record<string, string>) : {}
  } catch {
    return {}
  }
}
