import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { COMPILED } from '../support/compiled.ts'
import { evil, markdown, script } from './support/script.ts'
import { homeWith, openTerminal } from './support/terminal.ts'

const BIN = fileURLToPath(new URL('../../src/bin.ts', import.meta.url))

const environment = ({ home, env }: ReturnType<typeof homeWith>) => ({
  PATH: process.env['PATH'],
  SEGNO_HOME: home,
  ...COMPILED,
  ...env,
})

/** `segno chat …` without a terminal, with this on its input. */
async function piped(given: ReturnType<typeof homeWith>, args: readonly string[], input = '') {
  const env = environment(given)
  const child = spawn(process.execPath, ['--conditions=segno-source', BIN, 'chat', ...args], { cwd: given.home, env })
  child.stdin.end(input)
  let out = ''
  let err = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text))
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, out, err }
}

test('over a pipe the answer alone is on stdout, as it came, and calls are on stderr', async () => {
  const given = homeWith(script)
  expect(await piped(given, [], 'show me\n')).toEqual({ code: 0, out: `${markdown}\n`, err: '' })
  const sum = await piped(given, ['sum'])
  expect(sum).toMatchObject({ code: 0, out: 'It is what the call says.\n' })
  expect(sum.err).toMatch(/^✓ calculator 6\*7 · \d+ ms\n$/)
  const { out } = await piped(given, ['evil'])
  for (const obeyed of ['\x1b', '\x9b', '\u202e']) {
    expect(evil).toContain(obeyed)
    expect(out).not.toContain(obeyed)
  }
})

test('what is piped in stands after the message, and one that is not taken leaves no conversation behind', async () => {
  const { home, env } = homeWith(script)
  const settings = environment({ home, env: { ...env, SEGNO_LOG: 'off', SEGNO_LIMITS_MESSAGE_CHARS: '100' } })
  const command = `"${process.execPath}" --conditions=segno-source "${BIN}"`
  async function shell(line: string): Promise<string> {
    const child = spawn('sh', ['-c', line.replaceAll('segno', command)], { cwd: home, env: settings })
    const [out] = await Promise.all([text(child.stdout), once(child, 'close')])
    return out
  }
  expect(await shell("printf 'a diff\\n' | segno chat 'explain this'")).toBe('Echo: explain this\n\na diff\n')
  expect(await shell("segno chat 'only this' < /dev/null")).toBe('Echo: only this\n')
  expect(await shell(`printf '%0200d' 0 | segno chat 'too long'; echo $?`)).toBe('1\n')
  expect(JSON.parse(await shell('segno sessions ls --json'))).toHaveLength(2)
})

test('options say how the model is to answer this message', async () => {
  const params = { when: '^params', turns: [{ text: '{{params}}' }] }
  const given = homeWith({ scenarios: [params, { when: '^Rome', turns: [{ text: '{"city": "Rome"}' }] }] })
  const said = await piped(
    given,
    '--effort high --temperature 0.2 --max-output 500 --tools calculator,datetime --tool-choice datetime params'.split(
      ' ',
    ),
  )
  expect(JSON.parse(said.out)).toEqual({
    effort: 'high',
    temperature: 0.2,
    maxOutput: 500,
    tools: ['calculator', 'datetime'],
    toolChoice: { tool: 'datetime' },
  })
  const schema = join(given.home, 'city.json')
  writeFileSync(schema, '{"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}')
  const rome = await piped(given, ['--json', '--schema', schema, 'Rome'])
  expect(JSON.parse(rome.out)).toMatchObject({ finishReason: 'complete', output: { city: 'Rome' } })
  const prose = await piped(given, ['--schema', schema, '--tools', 'none', 'params'])
  expect([prose.code, prose.err]).toEqual([1, expect.stringContaining('The answer is not one JSON object') as string])
  const hot = await piped(given, ['--temperature', '9', 'params'])
  expect([hot.code, hot.out]).toEqual([1, ''])
  expect(hot.err).toContain('temperature')
})

test('--json prints how the round ended, and the exit code says whether it is complete', async () => {
  const given = homeWith(script)
  const sum = await piped(given, ['sum', '--json'])
  expect(sum.code).toBe(0)
  const said = JSON.parse(sum.out) as { sessionId: string }
  expect(said).toMatchObject({
    content: 'It is what the call says.',
    finishReason: 'complete',
    cost: 0,
    usage: { input: expect.any(Number) as number },
    calls: [{ name: 'calculator', outcome: 'ok', effect: 'none' }],
  })
  const more = await piped(given, ['--json', '--session', said.sessionId.slice(0, 30)], 'and more')
  expect(JSON.parse(more.out)).toMatchObject({ sessionId: said.sessionId, content: 'Echo: and more' })
  const failed = await piped(given, ['refused', '--json'])
  expect([failed.code, JSON.parse(failed.out)]).toMatchObject([
    1,
    { finishReason: 'error', content: expect.any(String) as string },
  ])
  const told = await piped(given, ['refused'])
  expect(told.code).toBe(1)
  expect(told.err).toContain('the key was refused')
})

test('over a pipe nobody can be asked: what needs approval is denied, and that is told', async () => {
  const { code, out, err } = await piped(homeWith(script), [], 'save')
  expect([code, out]).toEqual([0, 'Saved.\n'])
  expect(err).toMatch(/^\? write_file wants to write: notes\.txt\n {2}│ first\n {2}because/)
  expect(err).toContain('write_file needs somebody to allow it, and nobody can be asked here: denied.')
  expect(err).toMatch(/✗ write_file .* · denied/)
})

test('at a terminal one message asks too, and a second Ctrl-C stops it', async () => {
  const given = homeWith(script)
  const terminal = openTerminal({ ...given, args: ['save'] })
  await terminal.waitFor(/wants to write: notes\.txt\n {2}│ first\n[^]*\[y\] yes/)
  terminal.press('enter')
  await terminal.waitFor(/Allow\?[^]*›[^]*›/)
  terminal.type('y\r')
  expect(await terminal.ended).toBe(0)
  await terminal.waitFor(/✓ write_file[^]*Saved\./)
  const another = openTerminal({ ...given, args: ['replace'] })
  await another.waitFor('[y] yes')
  another.press('ctrl-c')
  await another.waitFor('Nothing is stopped yet.')
  another.press('ctrl-c')
  await another.waitFor(/Stopping\. This will not run: write_file notes\.txt\nsegno chat --session \S+ goes on/)
  expect(await another.ended).toBe(1)
  expect(readFileSync(join(given.home, 'workspace', 'notes.txt'), 'utf8')).toBe('first')
})

test('at a terminal one message takes the answer to what a running call asks', async () => {
  const server = fileURLToPath(new URL('support/curious.ts', import.meta.url))
  const schema = JSON.stringify({ type: 'object', properties: { age: { type: 'integer' } }, required: ['age'] })
  const tools = { ask: { effect: 'pure', approval: 'auto', reach: [] } }
  const mcp = { curious: { command: process.execPath, args: [server, schema], tools } }
  const { home, env } = homeWith({
    scenarios: [{ when: '^tell', turns: [{ calls: [{ name: 'curious__ask', args: {} }] }, { text: 'Told.' }] }],
  })
  const terminal = openTerminal({ home, args: ['tell'], env: { ...env, SEGNO_MCP: JSON.stringify(mcp) } })
  await terminal.waitFor(/\? curious__ask asks: [^]*Answer\?[^]*›/)
  terminal.type('y\r')
  await terminal.waitFor('age ›')
  terminal.type('old\r')
  await terminal.waitFor(/age › [^]*age ›/)
  terminal.type('21\r')
  expect(await terminal.ended).toBe(0)
  await terminal.waitFor(/✓ curious__ask[^]*Told\./)
})

test.each([
  ['nothing to say', [], ' \n', 'There is nothing to send'],
  ['a session that is not there', ['hi', '--session', 'no-such-one'], '', 'There is no session no-such-one.'],
])('%s is told in a sentence', async (_, args, input, words) => {
  const { code, out, err } = await piped(homeWith(script), args, input)
  expect([code, out]).toEqual([1, ''])
  expect(err).toMatch(/^segno: .+\n$/)
  expect(err).toContain(words)
})
