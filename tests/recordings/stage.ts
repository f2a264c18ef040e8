import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compose } from '../../src/app.ts'
import type { Limits } from '../../src/config/index.ts'
import type { JsonObject } from '../../src/contract/message.ts'
import type { Tool } from '../../src/contract/tool.ts'
import type { Segno } from '../../src/segno.ts'
import { startPlayingServer, type PlayingServer } from './playing-server.ts'

export interface Run {
  readonly name: string
  readonly args: JsonObject
}

/** Segno as it is, reaching every provider at a server that plays recordings. */
export interface Stage {
  readonly segno: Segno
  readonly server: PlayingServer
  /** what Segno calls this model, and whether it knows its prices */
  model(provider: string, modelId: string): { readonly key: string; readonly priced: boolean }
  /** what tools were carried out for this session */
  runs(sessionId: string): readonly Run[]
  close(): Promise<void>
}

const USABLE = /^[a-zA-Z0-9_-]{1,64}$/

/** `tools`: names under which something is offered that takes any arguments and only notes them. */
export async function openStage(tools: Iterable<string>, limits: Partial<Limits> = {}): Promise<Stage> {
  const home = mkdtempSync(join(tmpdir(), 'segno-recordings-'))
  const server = await startPlayingServer()
  const runs = new Map<string, Run[]>()
  const noting = (name: string): Tool => ({
    name,
    description: `does ${name}`,
    input: { type: 'object', properties: {} },
    effect: 'pure',
    run(args, { sessionId }) {
      runs.set(sessionId, [...(runs.get(sessionId) ?? []), { name, args }])
      return `${name} done`
    },
  })
  const segno = await compose(
    {
      home,
      durability: 'normal',
      builtInTools: false,
      tools: [...new Set(tools)].filter((name) => USABLE.test(name)).map(noting),
      env: { ...server.env, SEGNO_MODEL: 'claude-sonnet' },
      // A provider that fails in one recording is asked for the next one all the same.
      limits: { RETRY_BASE_MS: 0, BREAKER_FAILURES: 0, DRAIN_MS: 50, MAX_STREAMS: 1000, ...limits },
    },
    {},
  )
  return {
    segno,
    server,
    model(provider, modelId) {
      const entries = segno.models().filter((entry) => entry.provider === provider && entry.modelId === modelId)
      const entry = entries.find(({ effort }) => effort === undefined)
      return { key: entry?.key ?? `${provider}:${modelId}`, priced: entry?.prices !== undefined }
    },
    runs: (sessionId) => runs.get(sessionId) ?? [],
    async close() {
      await segno.close()
      await server.close()
      rmSync(home, { recursive: true, force: true })
    },
  }
}
