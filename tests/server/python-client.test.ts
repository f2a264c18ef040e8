import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startServer } from '../crash/server/server-process.ts'

const CLIENT = join(import.meta.dirname, '../../examples/python/segno_client.py')
const hasPython = (() => {
  try {
    execFileSync('python3', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})()
const withPython = test.skipIf(!hasPython)

function newHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'segno-python-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  return home
}

/** The client as a person runs it: what it printed so far, and its exit code. */
function ask(url: string, text: string) {
  const client = spawn('python3', [CLIENT, url, text], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void client.kill('SIGKILL'))
  let out = ''
  client.stdout.setEncoding('utf8').on('data', (piece: string) => (out += piece))
  return {
    out: () => out,
    ended: once(client, 'close').then(([code]) => code as number),
    async prints(words: string) {
      while (!out.includes(words)) await once(client.stdout, 'data')
    },
  }
}

withPython(
  `the client in Python takes the tour and approves what is asked${hasPython ? '' : ': no python3'}`,
  async () => {
    const home = newHome()
    const server = await startServer({ home })
    onTestFinished(async () => void (await server.kill()))
    const client = ask(server.url, 'tour')
    expect(await client.ended).toBe(0)
    expect(client.out()).toMatch(
      /\[write_file asks: tour\/note\.md\] approved[^]*\[ok\][^]*That was the tour[^]*\[complete\]/,
    )
    expect(existsSync(join(home, 'workspace/tour/note.md'))).toBe(true)
  },
)

withPython(`the client in Python goes on after a kill of the server${hasPython ? '' : ': no python3'}`, async () => {
  const home = newHome()
  const first = await startServer({ home })
  const client = ask(first.url, 'tell me a long story')
  await client.prints('Her trouble was the cat')
  await first.kill()
  const second = await startServer({ home, port: first.port })
  onTestFinished(async () => void (await second.kill()))
  expect(await client.ended).toBe(0)
  const [, after = ''] = client.out().split('[goes on]\n')
  expect(after.split('Her trouble was the cat')).toHaveLength(2)
  expect(after).toMatch(/^Once there was a copyist[^]*and go on\.\n\[complete\]\n$/)
})

test('docs/python.md shows what the client has', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/python.md'), 'utf8')
  const [, shown = ''] = /```python\n([^]*?)```/.exec(page) ?? []
  const client = readFileSync(CLIENT, 'utf8')
  for (const [, method] of shown.matchAll(/segno\.(\w+)\(/g)) expect(client).toContain(`def ${method}(`)
})
