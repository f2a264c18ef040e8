import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { verifies } from '../../../tests/support/verifies.ts'
import { createRegistry } from '../registry.ts'
import { runTool } from '../run-tool.ts'
import { detectSandbox } from '../sandbox/detect-sandbox.ts'
import type { Sandbox, SandboxEnd } from '../sandbox/sandbox.ts'
import { SANDBOX_LIMITS } from '../../../tests/support/limits.ts'
import { bash } from './bash.ts'
import { workspace } from './workspace.suite.ts'

const LIMITS = { ...SANDBOX_LIMITS, timeoutMs: 10_000 }
const found = await detectSandbox({ limits: SANDBOX_LIMITS, hidden: [], roots: [tmpdir()] })
const reason = 'missing' in found ? `: ${found.missing}` : ''
const here = test.skipIf(reason !== '')

async function ran(command: string, timeoutMs?: number) {
  if ('missing' in found) throw new Error(found.missing)
  const { ctx } = await workspace()
  const [tool] = (await createRegistry([bash(found, LIMITS)])).all()
  if (tool === undefined) throw new Error('The registry is empty.')
  const args = timeoutMs === undefined ? { command } : { command, timeoutMs }
  const signal = new AbortController().signal
  const time = { timeoutMs: 10_000, maxTimeoutMs: 60_000, signal }
  return runTool(tool, args, ctx(), { ...time, outputChars: 1_000, fileBytes: 1, resultFiles: 1, redact: String })
}

here(`returns what a command prints, stdout and stderr${reason}`, async () => {
  expect(await ran('echo out; echo err >&2; printf end')).toMatchObject({ outcome: 'ok', content: 'out\nerr\nend' })
})

here(`says how a command ended, on a line of its own${reason}`, async () => {
  expect((await ran('printf no; exit 3')).content).toBe('no\n[exit code 3]')
  expect((await ran('echo no; exit 3')).content).toBe('no\n[exit code 3]')
  expect((await ran('exit 3')).content).toBe('[exit code 3]')
  // Long enough for a busy machine to come to the first word.
  expect((await ran('echo so far; sleep 60', 5000)).content).toBe('so far\n[killed: it ran for more than 5 s]')
})

here(`shows pieces as they come and ends when it is cancelled${reason}`, async () => {
  if ('missing' in found) return
  const cancel = new AbortController()
  const { ctx } = await workspace()
  const command = { command: 'echo so far; sleep 20; echo never' }
  const pieces = bash(found, LIMITS).run(command, ctx(cancel.signal)) as AsyncGenerator<Uint8Array>
  expect(Buffer.from((await pieces.next()).value).toString()).toBe('so far\n')
  cancel.abort()
  expect(await Array.fromAsync(pieces)).toEqual(['[killed: cancelled]'])
})

here(`cuts output past 100,000 characters and keeps the rest${reason}`, async () => {
  const { content, cut, full } = await ran('head -c 300000 /dev/zero | tr "\\0" x')
  expect(cut).toBeGreaterThan(199_000)
  expect(content.length).toBeLessThan(101_000)
  expect(full?.length).toBe(300_000)
})

here(`stops a command that prints for ever${reason}`, async () => {
  const { outcome, cut } = await ran('yes')
  expect(outcome).toBe('ok')
  expect(cut).toBeGreaterThan(1_000_000)
})

/** A sandbox that only tells an end. */
function ending(end: SandboxEnd): Sandbox {
  return {
    kind: 'namespaces',
    memory: 'watched',
    // oxlint-disable-next-line require-yield -- it prints nothing
    async *run() {
      return end
    },
  }
}

test.each<[SandboxEnd, string]>([
  [{ stopped: 'memory' }, '[killed: out of memory, it may use 1000 MB in all]'],
  [{ stopped: 'output' }, '[killed: it printed more than 16 MB]'],
  [{ stopped: 'disk' }, '[killed: the disk of the workspace lost more than 1000 MB or 100000 files meanwhile]'],
  [{ code: 153 }, '[exit code 153: a file may have 100 MB]'],
  [{ code: 152 }, '[exit code 152: a process may use 120 s of processor time]'],
  [{ code: 137 }, '[exit code 137: a process was killed]'],
])('names the limit behind %j', async (end, note) => {
  const { ctx } = await workspace()
  const pieces = bash(ending(end), LIMITS).run({ command: 'x' }, ctx()) as AsyncIterable<string>
  expect(await Array.fromAsync(pieces)).toEqual([note])
})

verifies('ORC-10', 'asks before every command, and shows all of it', () => {
  const tool = bash(ending({ code: 0 }), LIMITS)
  const approval = tool.approval as (args: object) => string
  expect(approval({ command: 'ls -la' })).toBe('ask')
  expect(approval({ command: 'rm -rf /' })).toBe('always')
  const command = `echo ${'x'.repeat(20_000)}; rm -rf .`
  expect(tool.target?.({ command })).toBe(command)
  expect(tool.effect).toBe('unsafe')
  expect(tool.reach).toEqual(['secrets'])
})
