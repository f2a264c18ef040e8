import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { JsonObject } from '../../contract/message.ts'
import type { Tool, ToolContext } from '../../contract/tool.ts'

const WHERE = { tenant: 'default', workspaceId: 'system', isTainted: false }

export interface Workspace {
  /** the folder tools are confined to */
  readonly folder: string
  /** beside it: holds `secret.txt`, and nothing may ever change here */
  readonly outside: string
  at(path: string): string
  ctx(signal?: AbortSignal): ToolContext
  run(tool: Tool, args: JsonObject, signal?: AbortSignal): Promise<string>
}

/** A real folder with real files, gone after the test. */
export async function workspace(files: Readonly<Record<string, string | Uint8Array>> = {}): Promise<Workspace> {
  const top = await realpath(await mkdtemp(join(tmpdir(), 'segno-tool-')))
  onTestFinished(() => rm(top, { recursive: true, force: true }))
  const folder = join(top, 'inside')
  const outside = join(top, 'outside')
  for (const place of [folder, outside]) await mkdir(place)
  await writeFile(join(outside, 'secret.txt'), 'secret')
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), content)
  }
  const ctx = (signal: AbortSignal = new AbortController().signal): ToolContext => {
    const ids = { idempotencyKey: 'k', callId: 'c', sessionId: 's', requestId: 'r', actorId: 'a', ...WHERE }
    return { ...ids, folder, signal, say: () => {}, ask: async () => ({ action: 'cancel' }), charge: () => {} }
  }
  return {
    folder,
    outside,
    at: (path) => join(folder, path),
    ctx,
    run: async (tool, args, signal) => (await tool.run(args, ctx(signal))) as string,
  }
}
