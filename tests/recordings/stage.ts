import type { LanguageModelV4 } from '@ai-sdk/provider'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compose } from '../../src/app.ts'
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
  /** what Segno calls this model: its key, if it is one of the registry */
  model(provider: string, modelId: string): string
  /** what tools were carried out for this session */
  runs(sessionId: string): readonly Run[]
  close(): Promise<void>
}

const USABLE = /^[a-zA-Z0-9_-]{1,64}$/

export interface StageOptions {
  /** names under which something is offered that takes any arguments and only notes them */
  readonly tools: Iterable<string>
  /** stands between Segno and the providers' packages: for planting what must be noticed */
  readonly between?: (language: LanguageModelV4) => LanguageModelV4
}

export async function openStage({ tools, between = (language) => language }: StageOptions): Promise<Stage> {
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
      limits: { RETRY_BASE_MS: 0, BREAKER_FAILURES: 0, DRAIN_MS: 50 },
    },
    {
      deps: (deps) => ({
        ...deps,
        model(key) {
          const model = deps.model(key)
          return { ...model, language: between(model.language) }
        },
      }),
    },
  )
  const all = await segno.models()
  return {
    segno,
    server,
    model(provider, modelId) {
      const entries = all.filter((entry) => entry.provider === provider && entry.modelId === modelId)
      const entry = entries.find(({ effort }) => effort === undefined)
      return entry?.key ?? `${provider}:${modelId}`
    },
    runs: (sessionId) => runs.get(sessionId) ?? [],
    async close() {
      await segno.close()
      await server.close()
      rmSync(home, { recursive: true, force: true })
    },
  }
}
