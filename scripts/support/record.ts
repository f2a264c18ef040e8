import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TestTerminal } from '../../tests/terminal/support/pty.ts'
import { animatedSvg, type TimedScreen } from './animated-svg.ts'

const FOLDER = join(import.meta.dirname, '../../docs/images')
const FRAME_MS = 110

export interface Recording {
  /** of the file in docs/images */
  readonly name: string
  /** said to who cannot see it */
  readonly label: string
  readonly cols: number
  readonly rows: number
  screen(): TimedScreen['rows']
  play(): Promise<void>
}

/** Plays something and writes what was on the screen meanwhile as an animated picture. */
export async function record({ name, label, cols, rows, screen, play }: Recording): Promise<void> {
  const started = performance.now()
  const screens: TimedScreen[] = []
  const look = (): void => {
    const shown = screen()
    const isNew = JSON.stringify(shown) !== JSON.stringify(screens.at(-1)?.rows)
    if (isNew) screens.push({ atMs: performance.now() - started, rows: shown })
  }
  const looking = setInterval(look, FRAME_MS)
  try {
    await play()
  } finally {
    clearInterval(looking)
  }
  look()
  const svg = animatedSvg({ screens, label, lengthMs: performance.now() - started, cols, rows })
  mkdirSync(FOLDER, { recursive: true })
  writeFileSync(join(FOLDER, `${name}.svg`), svg)
  console.log(`docs/images/${name}.svg: ${screens.length} frames, ${Math.round(svg.length / 1024)} KB`)
}

export async function typeSlowly(terminal: TestTerminal, text: string): Promise<void> {
  for (const letter of text.split('')) {
    terminal.type(letter)
    await sleep(55)
  }
  await sleep(350)
  terminal.press('enter')
}
