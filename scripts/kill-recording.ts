/**
 * Plays what happens when the server is killed in the middle of a call with an effect, and writes it as
 * docs/images/kill.svg: `npm run pictures:kill`. Above a shell with the server, below `segno chat`.
 */
import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startInTerminal } from '../tests/terminal/support/pty.ts'
import { record, typeSlowly } from './support/record.ts'
import { screenRows, type Run } from './support/screen-rows.ts'

const COLS = 100
const SERVER_ROWS = 15
const CHAT_ROWS = 20
const RULE: Run[] = [{ column: 0, text: '─'.repeat(COLS), look: 'dim' }]

const home = mkdtempSync(join(tmpdir(), 'segno-recording-'))
const outbox = join(home, 'outbox.txt')

/** Sends a mail by a line in a file, and then waits for a receipt: that is when the server is killed. */
const TOOL = `
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
const wasSent = (key) => existsSync('outbox.txt') && readFileSync('outbox.txt', 'utf8').includes(key)
export default {
  name: 'send_mail',
  description: 'Sends a mail.',
  input: { type: 'object', properties: { to: { type: 'string' }, text: { type: 'string' } }, required: ['to', 'text'] },
  effect: 'verifiable',
  target: ({ to }) => 'mail to ' + to,
  timeoutMs: 60000,
  async run({ to, text }, { idempotencyKey, signal }) {
    appendFileSync('outbox.txt', 'To: ' + to + '  ' + text + '  ' + idempotencyKey.slice(-8) + '\\n')
    await new Promise((resolve, reject) => signal.addEventListener('abort', reject))
  },
  verify: async (args, { idempotencyKey }) =>
    wasSent(idempotencyKey.slice(-8)) ? { happened: true, output: 'sent' } : { happened: false },
}
`
const SCRIPT = {
  scenarios: [
    {
      when: 'ada',
      turns: [
        {
          text: 'I will write to her.',
          delayMs: 12,
          deltaChars: 6,
          calls: [{ name: 'send_mail', args: { to: 'ada@example.org', text: 'Your order is on its way.' } }],
        },
        { text: 'Done: the mail to Ada was sent, **once**.', delayMs: 12, deltaChars: 6 },
      ],
    },
  ],
}

function setUp(): Record<string, string> {
  mkdirSync(join(home, 'tools'))
  writeFileSync(join(home, 'tools', 'send-mail.mjs'), TOOL)
  writeFileSync(join(home, 'script.json'), JSON.stringify(SCRIPT))
  const bin = resolve(import.meta.dirname, '../src/bin.ts')
  writeFileSync(join(home, 'segno'), `#!/bin/sh\nexec ${process.execPath} --conditions=segno-source ${bin} "$@"\n`)
  chmodSync(join(home, 'segno'), 0o755)
  const PATH = [home, process.env['PATH']].join(delimiter)
  return { PATH, PS1: '$ ', SEGNO_SCRIPT: join(home, 'script.json'), SEGNO_LIMITS_TOOL_MAX_MS: '60000' }
}

const env = setUp()
const shell = startInTerminal({
  home,
  command: ['bash', '--norc', '--noprofile', '-i'],
  cols: COLS,
  rows: SERVER_ROWS,
  env,
})
let chat: ReturnType<typeof startInTerminal> | undefined

/** The lower terminal has the cursor while somebody types there. */
function screen(): Run[][] {
  const below = chat ? screenRows(chat.emulator) : Array.from({ length: CHAT_ROWS }, (): Run[] => [])
  return [...screenRows(shell.emulator), RULE, ...below]
}

const isSent = (): boolean => {
  try {
    return readFileSync(outbox, 'utf8') !== ''
  } catch {
    return false
  }
}

async function play(): Promise<void> {
  await sleep(800)
  await typeSlowly(shell, 'segno serve &')
  await shell.waitFor('Segno is at')
  shell.press('enter')
  chat = startInTerminal({ home, args: ['chat'], cols: COLS, rows: CHAT_ROWS, env })
  await chat.waitFor('›')
  await sleep(800)
  await typeSlowly(chat, 'Tell Ada that her order is on its way.')
  await chat.waitFor('Allow?')
  await sleep(1800)
  chat.type('y')
  while (!isSent()) await sleep(50)
  await sleep(1200)
  // The mail is out, and nobody has noted it down yet.
  await typeSlowly(shell, 'kill -9 %1')
  await chat.waitFor('Trying again')
  shell.press('enter')
  await sleep(1200)
  await typeSlowly(shell, 'segno serve &')
  await chat.waitFor('Done ·')
  shell.press('enter')
  await sleep(1500)
  await typeSlowly(shell, 'cat outbox.txt')
  await sleep(5000)
}

try {
  await shell.waitFor('$')
  const label =
    'A recording: segno chat sends a mail, the server is killed with kill -9 before it could note that, ' +
    'and started again; the answer goes on, and the mail was sent once'
  await record({ name: 'kill', label, cols: COLS, rows: SERVER_ROWS + 1 + CHAT_ROWS, screen, play })
  assert.equal(readFileSync(outbox, 'utf8').trim().split('\n').length, 1, 'the mail was not sent once')
} finally {
  await chat?.kill()
  shell.type('kill -9 %1 %2\rexit\rexit\r')
  await shell.ended
  rmSync(home, { recursive: true, force: true })
}
