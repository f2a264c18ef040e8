/**
 * Plays a tour of `segno chat` in a pseudo-terminal and writes it as an animated picture, docs/images/chat.svg: text with
 * its colours, one group for each frame, moved by CSS. No scripts, no fonts from elsewhere.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startInTerminal, type TestTerminal } from '../tests/terminal/support/pty.ts'
import { animatedSvg, type TimedScreen } from './support/animated-svg.ts'
import { screenRows } from './support/screen-rows.ts'

const COLS = 96
const ROWS = 28
const FRAME_MS = 110
const folder = fileURLToPath(new URL('../docs/images', import.meta.url))

async function typeSlowly(terminal: TestTerminal, text: string): Promise<void> {
  for (const letter of text.split('')) {
    terminal.type(letter)
    await sleep(55)
  }
  await sleep(350)
  terminal.press('enter')
}

async function play(terminal: TestTerminal): Promise<void> {
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

const home = mkdtempSync(join(tmpdir(), 'segno-recording-'))
const terminal = startInTerminal({ home, args: ['chat'], cols: COLS, rows: ROWS })
try {
  await terminal.waitFor('›')
  const started = performance.now()
  const screens: TimedScreen[] = []
  const record = (): void => {
    const rows = screenRows(terminal.emulator)
    const isNew = JSON.stringify(rows) !== JSON.stringify(screens.at(-1)?.rows)
    if (isNew) screens.push({ atMs: performance.now() - started, rows })
  }
  const recording = setInterval(record, FRAME_MS)
  await play(terminal)
  clearInterval(recording)
  record()
  const svg = animatedSvg(screens, performance.now() - started, COLS, ROWS)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'chat.svg'), svg)
  console.log(`docs/images/chat.svg: ${screens.length} frames, ${Math.round(svg.length / 1024)} KB`)
} finally {
  await terminal.kill()
  rmSync(home, { recursive: true, force: true })
}
