/** Plays a tour of `segno chat` in a pseudo-terminal and writes it as docs/images/chat.svg: `npm run pictures:chat`. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startInTerminal } from '../tests/terminal/support/pty.ts'
import { record, typeSlowly } from './support/record.ts'
import { screenRows } from './support/screen-rows.ts'

const SIZE = { cols: 96, rows: 28 }

const home = mkdtempSync(join(tmpdir(), 'segno-recording-'))
const terminal = startInTerminal({ home, args: ['chat'], ...SIZE })

async function play(): Promise<void> {
  await sleep(1200)
  await typeSlowly(terminal, 'tour')
  await terminal.waitFor('Allow?')
  await sleep(2600)
  terminal.type('y')
  await terminal.waitFor('Done')
  await sleep(4000)
  await typeSlowly(terminal, 'tell me a long story')
  await sleep(2600)
  terminal.press('ctrl-c')
  await terminal.waitFor('Cancelled')
  await sleep(1200)
  await typeSlowly(terminal, '/cost')
  await sleep(3500)
}

try {
  await terminal.waitFor('›')
  const label = 'A recording of segno chat: a guided tour with an approval, and an answer that is stopped'
  await record({ name: 'chat', label, ...SIZE, screen: () => screenRows(terminal.emulator), play })
} finally {
  await terminal.kill()
  rmSync(home, { recursive: true, force: true })
}
