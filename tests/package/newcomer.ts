import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startInTerminal } from '../terminal/support/pty.ts'
import { launchChromium } from '../web/support/launch-chromium.ts'
import { askFor, button, endOf, messages, say } from '../web/support/person.ts'

/**
 * Somebody new, from nothing to an answer: the package is packed, installed into an empty folder (from the cache of npm
 * where that has everything), and used from there. Ends what it started and prints what it did.
 */
const root = resolve(import.meta.dirname, '..', '..')
const folder = mkdtempSync(join(tmpdir(), 'segno-installed-'))
const home = join(folder, 'home')
const NOTE = join(home, 'workspace', 'tour', 'note.md')
const QUESTION = 'What is 17 * 23?'
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
  run('npm', ['install', '--prefer-offline', '--no-fund', '--no-audit', join(folder, tarball)])
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

/** The tour to its end, with the approval it asks for, and a question. */
async function takesTheTour(url: string): Promise<void> {
  const browser = await launchChromium()
  try {
    const page = await browser.newPage()
    await page.goto(url)
    await button(page, 'Take the tour').click()
    await askFor(page, 'write_file').waitFor()
    assert(!existsSync(NOTE), 'the file was written before anybody approved')
    await button(askFor(page, 'write_file'), 'Approve').click()
    await messages(page).getByText('That was the tour').waitFor()
    await endOf(page, 'answered').waitFor()
    assert(existsSync(NOTE), 'the approved file was not written')
    await say(page, QUESTION)
    await messages(page).getByText('391').first().waitFor()
  } finally {
    await browser.close()
  }
}

async function chatAnswers(): Promise<void> {
  assert.match(run(NPX, ['segno', 'chat'], folder, `${QUESTION}\n`), /391/)
  const terminal = startInTerminal({ home, command: [NPX, 'segno'], args: ['chat', '--new'], env: { PATH: env.PATH } })
  try {
    await terminal.waitFor('›')
    terminal.type(QUESTION)
    terminal.press('enter')
    await terminal.waitFor(/391[^]*Done/)
    terminal.press('ctrl-d')
    assert.equal(await terminal.ended, 0)
  } finally {
    await terminal.kill()
  }
}

/** A module that is put into the folder of tools while the server runs. */
async function takesATool(url: string): Promise<void> {
  const tool = `{ name: 'dice', description: 'Rolls dice.', input: { type: 'object' }, effect: 'pure', run: () => 4 }`
  mkdirSync(join(home, 'tools'))
  writeFileSync(join(home, 'tools', 'dice.mjs'), `export default ${tool}`)
  const offered = async (): Promise<string> => (await fetch(`${url}/api/tools`)).text()
  for (let tries = 50; !(await offered()).includes('Rolls dice.'); tries--) {
    assert(tries > 0, 'the tool is not offered')
    await sleep(100)
  }
}

function libraryAnswers(): void {
  const script = `
    import { createSegno } from 'segno'
    const segno = await createSegno({ home: ${JSON.stringify(join(folder, 'embedded'))}, env: {} })
    const { id } = await segno.createSession()
    const { completion } = await segno.streamRequest(id, '${QUESTION}')
    console.log((await completion).content, (await segno.fetch(new Request('http://localhost/health'))).status)
    await segno.close()`
  assert.match(run(process.execPath, ['--input-type=module', '--eval', script]), /391[^]*200/)
}

/** A round over HTTP, followed to its end, with nothing but `segno/client`. */
function clientAnswers(url: string): void {
  const script = `
    import { createClient } from 'segno/client'
    const client = createClient({ baseUrl: ${JSON.stringify(url)} })
    const { id } = await client.createSession({ title: 'From a client' })
    const { requestId } = await client.send(id, { content: '${QUESTION}' })
    for await (const frames of client.follow(id))
      for (const { kind, event } of frames) {
        if (kind !== 'event' || event.requestId !== requestId) continue
        if (event.type === 'message.assistant') console.log(JSON.stringify(event.data.content))
        if (event.type === 'round.ended') process.exit()
      }`
  assert.match(run(process.execPath, ['--input-type=module', '--eval', script]), /391/)
}

function typesHold(): void {
  const file = join(folder, 'uses-types.ts')
  writeFileSync(
    file,
    `import { createSegno, type Segno } from 'segno'
import { createClient, type Session } from 'segno/client'
export const session: Promise<Session> = createClient({ baseUrl: 'http://127.0.0.1:4747' }).createSession({ title: 'x' })
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
    await step('the tour of the page goes to its end in a browser', () => takesTheTour(url))
    await step('a module in the folder of tools is a tool', () => takesATool(url))
    await step('segno/client answers', () => clientAnswers(url))
    await step('segno chat answers beside the server, piped and in a terminal', chatAnswers)
  })
  await step('segno chat answers without a server', chatAnswers)
  await step('the library answers', libraryAnswers)
  await step('its types hold', typesHold)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
