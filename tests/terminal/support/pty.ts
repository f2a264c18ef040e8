import { spawn, type IPty } from '@lydell/node-pty'
import headless from '@xterm/headless'
import { fileURLToPath } from 'node:url'
import { COMPILED } from '../../support/compiled.ts'

const BIN = fileURLToPath(new URL('../../../src/bin.ts', import.meta.url))
/** Longer than anything takes on a busy machine. */
const PATIENCE_MS = 45_000
const SOURCES = [process.execPath, '--conditions=segno-source', BIN] as const
const LAST_WORDS_MS = 300

export interface TerminalOptions {
  readonly home: string
  readonly args?: readonly string[]
  /** what to run; default: the command of the sources */
  readonly command?: readonly [string, ...string[]]
  readonly cols?: number
  readonly rows?: number
  readonly env?: Readonly<Record<string, string>>
}

export interface TestTerminal {
  readonly pid: number
  /** Text, as somebody types it. */
  type(text: string): void
  press(key: keyof typeof KEYS): void
  /** What is on the screen, without what is blank at the ends. */
  screen(): string
  /** What is on the screen and what has scrolled out of it; a line that the terminal wrapped is one line. */
  everything(): string
  /** every byte that came */
  raw(): string
  cursor(): { readonly row: number; readonly column: number }
  resize(cols: number, rows: number): void
  /** Resolves when this is on the screen; tells what is there instead if it never comes. */
  waitFor(text: string | RegExp): Promise<void>
  /** The exit code, once it has ended. */
  readonly ended: Promise<number>
  /** Ends it without a chance to do anything about it. */
  kill(): Promise<void>
  /** an emulator of the screen, for who needs more of it */
  readonly emulator: InstanceType<typeof headless.Terminal>
}

const KEYS = {
  enter: '\r',
  up: '\x1b[A',
  down: '\x1b[B',
  left: '\x1b[D',
  'alt-enter': '\x1b\r',
  'ctrl-a': '\x01',
  'ctrl-c': '\x03',
  'ctrl-d': '\x04',
  'ctrl-j': '\n',
  backspace: '\x7f',
  escape: '\x1b',
} as const

/** `segno …` in a real pseudo-terminal, read by a real emulator. */
export function startInTerminal(options: TerminalOptions): TestTerminal {
  const { home, args = [], command = SOURCES, cols = 80, rows = 40, env = {} } = options
  const [file, ...before] = command
  const emulator = new headless.Terminal({ cols, rows, scrollback: 5000, allowProposedApi: true })
  const child: IPty = spawn(file, [...before, ...args], {
    name: env['TERM'] ?? 'xterm-256color',
    cols,
    rows,
    cwd: home,
    env: {
      PATH: process.env['PATH'] ?? '',
      LANG: 'C.UTF-8',
      SEGNO_HOME: home,
      SEGNO_LOG: 'off',
      ...COMPILED,
      ...env,
    },
  })
  let raw = ''
  const heard = new Set<() => void>()
  child.onData((text) => {
    raw += text
    emulator.write(text, () => heard.forEach((look) => look()))
  })
  const ended = new Promise<number>((resolve) => child.onExit(({ exitCode }) => resolve(exitCode)))
  let isOver = false
  void ended.then(() => (isOver = true))

  function lines(from: number): string {
    const { active } = emulator.buffer
    const found: string[] = []
    for (let row = from; row < active.length; row++) {
      const line = active.getLine(row)
      const text = line?.translateToString(true) ?? ''
      if (line?.isWrapped && from === 0) found.push(`${found.pop() ?? ''}${text}`)
      else found.push(text)
    }
    return found.join('\n').trimEnd()
  }
  const screen = (): string => lines(emulator.buffer.active.baseY)

  return {
    pid: child.pid,
    emulator,
    ended,
    type: (text) => child.write(text),
    press: (key) => child.write(KEYS[key]),
    screen,
    everything: () => lines(0),
    raw: () => raw,
    cursor: () => ({ row: emulator.buffer.active.cursorY, column: emulator.buffer.active.cursorX }),
    resize(nextCols, nextRows) {
      emulator.resize(nextCols, nextRows)
      child.resize(nextCols, nextRows)
    },
    async waitFor(text) {
      const isThere = (): boolean => (typeof text === 'string' ? screen().includes(text) : text.test(screen()))
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const look = (): void => {
        if (isThere()) resolve()
      }
      const tooLong = (): void => reject(new Error(`${String(text)} never came. On the screen was:\n${screen()}`))
      const patience = setTimeout(tooLong, PATIENCE_MS)
      heard.add(look)
      look()
      // What it says at its end may still be on its way.
      void ended.then(() => setTimeout(tooLong, LAST_WORDS_MS))
      try {
        await promise
      } finally {
        clearTimeout(patience)
        heard.delete(look)
      }
    },
    async kill() {
      if (!isOver) process.kill(child.pid, 'SIGKILL')
      await ended
    },
  }
}
