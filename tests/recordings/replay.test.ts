import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import type { FolderReplay } from './replay-folder.ts'

const script = fileURLToPath(new URL('replay.ts', import.meta.url))

interface Ended {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

function replay(...args: readonly string[]): Promise<Ended> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [script, ...args], (_, out, err) =>
      resolve({ code: child.exitCode, out, err }),
    )
  })
}

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'segno-replay-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}

const START = {
  type: 'message_start',
  message: { id: 'm', model: 'claude-sonnet-5-5', usage: { input_tokens: 5, output_tokens: 1 } },
}
const GOOD = [
  START,
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hello.' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 3 } },
  { type: 'message_stop' },
]
const linesOf = (chunks: readonly object[]): string => chunks.map((chunk) => JSON.stringify(chunk)).join('\n')

test('replay says what came of each recording, and that the sessions could go on', async () => {
  const folder = folderWith({
    'anthropic-hello.chunks.txt': linesOf(GOOD),
    'unknown-word.chunks.txt': linesOf([START, { type: 'error', error: { type: 'overloaded_error', message: 'x' } }]),
    'notes.md': 'not a recording',
  })
  const [shown, json] = await Promise.all([replay(folder), replay(folder, '--json', '--protocol', 'triggered')])
  expect(shown).toMatchObject({ code: 0, err: '' })
  expect(shown.out).toContain('ok   anthropic-hello (claude-sonnet)')
  expect(shown.out).toContain('text    6 characters: Hello.')
  expect(shown.out).toContain('2 recordings, 2 of them could go on.')
  const { replayed } = JSON.parse(json.out) as FolderReplay
  expect(replayed).toMatchObject([
    { name: 'anthropic-hello', text: 'Hello.', usage: { input: 5, output: 3 }, finishReason: 'complete', goesOn: true },
    { name: 'unknown-word', text: '', usage: null, finishReason: 'error', goesOn: true },
  ])
  expect(json.code).toBe(0)
})

test('what cannot be played is a clear sentence and exit code 2', async () => {
  const bad = folderWith({
    'anthropic-hello.chunks.txt': linesOf(GOOD),
    'anthropic-half.chunks.txt': `${linesOf(GOOD)}\n{"type":`,
    'other-format.chunks.txt': '{"hello":"world"}',
  })
  const [none, missing, empty, unreadable] = await Promise.all([
    replay(),
    replay('/no/such/folder'),
    replay(folderWith({})),
    replay(bad),
  ])
  expect(none).toMatchObject({ code: 2, err: expect.stringContaining('Name one folder.') as string })
  expect(missing).toMatchObject({ code: 2, err: 'The folder /no/such/folder does not exist.\n' })
  expect(empty).toMatchObject({ code: 2, err: expect.stringContaining('There is no recording') as string })
  expect(unreadable.code).toBe(2)
  expect(unreadable.err).toContain('anthropic-half, line 7 is not JSON; one JSON object a line is expected.')
  expect(unreadable.err).toContain('other-format is in no format of a provider that Segno can reach.')
  expect(unreadable.out).toContain('ok   anthropic-hello')
})
