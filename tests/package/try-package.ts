import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join, resolve } from 'node:path'
import { startInTerminal } from '../terminal/support/pty.ts'
import { launchChromium } from '../web/support/launch-chromium.ts'

/** The package as users get it: packed, installed into an empty folder, and used from there. */
const root = resolve(import.meta.dirname, '..', '..')
const folder = mkdtempSync(join(tmpdir(), 'segno-installed-'))
const home = join(folder, 'home')
const NPX = process.platform === 'win32' ? 'npx.cmd' : 'npx'
/** What this person has set for npm and Node, but nothing of the repository except its Node. */
const env = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(?:SEGNO|npm|NODE_ENV|INIT_CWD)/.test(name))),
  PATH: [
    dirname(process.execPath),
    ...(process.env['PATH'] ?? '').split(delimiter).filter((place) => !place.startsWith(root)),
  ].join(delimiter),
  SEGNO_HOME: home,
  SEGNO_PORT: '0',
}

function run(command: string, args: readonly string[], cwd = folder, input = ''): string {
  return execFileSync(command, args, { cwd, env, input, encoding: 'utf8', stdio: ['pipe', 'pipe', 'inherit'] })
}

async function step(what: string, work: () => unknown): Promise<void> {
  const started = performance.now()
  await work()
  console.log(`✓ ${what} (${((performance.now() - started) / 1000).toFixed(1)} s)`)
}

const installed = (): string => join(folder, 'node_modules', 'segno')

function install(): void {
  run('npm', ['pack', '--silent', '--pack-destination', folder], root)
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz'))
  assert(tarball !== undefined, 'npm pack made no package')
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'user', private: true, type: 'module' }))
  run('npm', ['install', '--no-fund', '--no-audit', join(folder, tarball)])
}

function holdsOnlyWhatIsNeeded(): void {
  const files = readdirSync(installed(), { recursive: true, encoding: 'utf8' }).filter(
    (name) => !name.includes('node_modules'),
  )
  const odd = files.filter((name) => /\.map$|\.test\.|\.suite\.|(?<!\.d)\.ts$|^(?:src|tests|web|bench)\b/.test(name))
  assert.deepEqual(odd, [])
}

/** `npx segno serve` until `work` is done; then it must end in order. */
async function serving(work: (url: string) => Promise<void>): Promise<void> {
  const server = spawn(NPX, ['segno', 'serve'], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  })
  try {
    let said = ''
    server.stdout.setEncoding('utf8').on('data', (text: string) => (said += text))
    while (!/http:\S+/.test(said)) await Promise.race([once(server.stdout, 'data'), failed(server)])
    await work(/http:\S+/.exec(said)?.[0] ?? '')
    const ended = once(server, 'exit')
    process.kill(-(server.pid ?? 0), 'SIGTERM')
    await ended
    assert(said.includes('Segno is stopping'))
  } finally {
    if (server.exitCode === null && server.signalCode === null) process.kill(-(server.pid ?? 0), 'SIGKILL')
  }
}

async function failed(server: ReturnType<typeof spawn>): Promise<never> {
  const [code] = (await once(server, 'exit')) as [number | null]
  throw new Error(`segno serve ended with ${code}`)
}

async function pageAnswers(url: string): Promise<void> {
  const browser = await launchChromium()
  try {
    const page = await browser.newPage()
    await page.goto(url)
    const message = page.getByRole('textbox', { name: 'Message' })
    await message.fill('What is 17 * 23?')
    await message.press('Enter')
    await page.getByText('391').first().waitFor()
  } finally {
    await browser.close()
  }
}

async function chatAnswers(): Promise<void> {
  assert.match(run(NPX, ['segno', 'chat'], folder, 'What is 17 * 23?\n'), /391/)
  const bin = join(installed(), 'dist', 'bin.js')
  const terminal = startInTerminal({ home, command: [process.execPath, bin], args: ['chat'] })
  try {
    await terminal.waitFor('›')
    terminal.type('What is 17 * 23?')
    terminal.press('enter')
    await terminal.waitFor('391')
  } finally {
    await terminal.kill()
  }
}

function libraryAnswers(): void {
  const script = `
    import { createSegno } from 'segno'
    const segno = await createSegno({ home: ${JSON.stringify(join(folder, 'embedded'))}, env: {} })
    const { id } = await segno.createSession()
    const { completion } = await segno.streamRequest(id, 'What is 17 * 23?')
    console.log((await completion).content, (await segno.fetch(new Request('http://localhost/health'))).status)
    await segno.close()`
  assert.match(run(process.execPath, ['--input-type=module', '--eval', script]), /391[^]*200/)
}

function typesHold(): void {
  const file = join(folder, 'uses-types.ts')
  writeFileSync(
    file,
    `import { createSegno, type Segno } from 'segno'
export const segno: Promise<Segno> = createSegno({ home: 'x' })
// @ts-expect-error: there is no such option
void createSegno({ nonsense: true })
`,
  )
  const options = ['--strict', '--noEmit', '--skipLibCheck', '--module', 'nodenext', '--target', 'es2024']
  run(join(root, 'node_modules', '.bin', 'tsc'), [...options, '--types', '', file])
}

try {
  await step('it is packed and installs into an empty folder', install)
  await step('it holds neither sources nor source maps nor tests', holdsOnlyWhatIsNeeded)
  await step('npx segno doctor finds everything it needs', () =>
    assert.match(run(NPX, ['segno', 'doctor']), /scripted/),
  )
  await serving(async (url) => {
    await step('the page answers in a browser', () => pageAnswers(url))
    await step('segno chat answers beside the server, piped and in a terminal', chatAnswers)
  })
  await step('segno chat answers without a server', chatAnswers)
  await step('the library answers', libraryAnswers)
  await step('its types hold', typesHold)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
