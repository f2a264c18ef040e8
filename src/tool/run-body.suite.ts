import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect } from 'vitest'
import type { Tool, ToolContext } from '../contract/tool.ts'
import { createRegistry } from './registry.ts'
import { runTool, type RunOptions, type RunResult } from './run-tool.ts'

export const MIB = 1024 * 1024

const ctx: ToolContext = {
  idempotencyKey: 'k',
  callId: 'c',
  sessionId: 's',
  requestId: 'r',
  actorId: 'a',
  tenant: 'default',
  workspaceId: 'system',
  isTainted: false,
  folder: '/nowhere',
  signal: new AbortController().signal,
  say: () => {},
  ask: async () => ({ action: 'cancel' }),
  charge: () => {},
}

/** Makes every test of a file fail that leaves a rejection nobody handles. */
export function expectNoUnhandledRejection(): void {
  const unhandled: unknown[] = []
  process.on('unhandledRejection', (error) => unhandled.push(error))
  afterEach(async () => {
    await sleep(1)
    expect(unhandled.splice(0)).toEqual([])
  })
}

/** Runs a tool that consists of nothing but its body. */
export async function run(
  body: (ctx: ToolContext) => unknown,
  options: Partial<RunOptions> = {},
  more: Partial<Tool> = {},
): Promise<RunResult> {
  const input = { type: 'object' } as const
  const tool = { name: 't', description: '', input, run: (_: unknown, ctx: ToolContext) => body(ctx), ...more } as Tool
  const registered = (await createRegistry([tool])).get('t')
  if (registered === undefined) throw new Error('not registered')
  const signal = new AbortController().signal
  const files = { fileBytes: 1000, resultFiles: 3 }
  const usual = { timeoutMs: 5000, maxTimeoutMs: 60_000, outputChars: 50_000, redact: (text: string) => text }
  return runTool(registered, {}, ctx, { ...usual, ...files, signal, ...options })
}

export const never = (): Promise<never> => new Promise<never>(() => undefined)
