import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { startInTerminal, type TerminalOptions, type TestTerminal } from './pty.ts'

export type { TestTerminal } from './pty.ts'

/** A folder of its own with a script for the scripted model in it. */
export function homeWith(script: object): { home: string; env: Record<string, string> } {
  const home = mkdtempSync(join(tmpdir(), 'segno-terminal-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  const file = join(home, 'script.json')
  writeFileSync(file, JSON.stringify(script))
  return { home, env: { SEGNO_SCRIPT: file } }
}

/** `segno chat` in a real pseudo-terminal, read by a real emulator. Killed when the test ends. */
export function openTerminal({ args = [], ...options }: TerminalOptions): TestTerminal {
  const child = startInTerminal({ ...options, args: ['chat', ...args] })
  onTestFinished(async () => child.kill())
  return child
}
