import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSegno } from '../../../../src/app.ts'
import type { Limits } from '../../../../src/config/index.ts'
import type { Segno } from '../../../../src/segno.ts'
import {
  startFaultyProvider,
  type FaultyProvider,
  type Plan,
  type Visit,
} from '../../../support/faulty-provider/faulty-provider.ts'
import { answers, breaksOff } from '../../../support/faulty-provider/plays.ts'
import { WIRE_NAMES, WIRES } from '../../../support/faulty-provider/wires.ts'
import { startPace, type Pace } from './pace.ts'

/** Limits like those of a Segno as it is installed, about fifty times faster. */
export const FIFTIETH = {
  TOTAL_MS: 2400,
  MODEL_CALL_MS: 1200,
  CONNECT_MS: 400,
  CONTENT_GAP_MS: 600,
  RETRY_BASE_MS: 20,
  RETRY_AFTER_MS: 1200,
  BREAKER_MS: 600,
} as const

export interface Stage {
  readonly segno: Segno
  readonly provider: FaultyProvider
  readonly limits: Partial<Limits>
  /** Makes a mark to put into a message, by which its conversation is known at the provider. */
  plan(plan: Plan): { readonly mark: string; readonly visit: Visit }
  /** what `look` was called with in a session */
  looks(sessionId: string): readonly object[]
  readonly inTurn: Pace['inTurn']
  close(): Promise<void>
}

/** Segno as it is, which reaches all providers at a faulty one. */
export async function openStage(
  limits: Partial<Limits> = {},
  env: Readonly<Record<string, string>> = {},
): Promise<Stage> {
  const home = mkdtempSync(join(tmpdir(), 'segno-provider-'))
  const provider = await startFaultyProvider()
  const looks = new Map<string, object[]>()
  const set = { ...FIFTIETH, BREAKER_FAILURES: 0, DRAIN_MS: 50, MAX_ROUNDS: 100, ...limits }
  const segno = await createSegno({
    home,
    env: { ...provider.env, SEGNO_MODEL: 'claude-haiku-4.5', ...env },
    durability: 'normal',
    builtInTools: false,
    limits: set,
    tools: [
      {
        name: 'look',
        description: 'looks at a path',
        input: { type: 'object', properties: { path: { type: 'string' } } },
        effect: 'pure',
        run(args, { sessionId }) {
          looks.set(sessionId, [...(looks.get(sessionId) ?? []), args])
          return 'There is nothing.'
        },
      },
    ],
  })
  let marks = 0
  const pace = startPace()
  const stage: Stage = {
    segno,
    provider,
    limits: set,
    plan(plan) {
      const mark = `[[play-${++marks}]]`
      return { mark, visit: provider.visit(mark, plan) }
    },
    looks: (sessionId) => looks.get(sessionId) ?? [],
    inTurn: pace.inTurn,
    async close() {
      pace.stop()
      await segno.close()
      await provider.shut()
      rmSync(home, { recursive: true, force: true })
    },
  }
  if (set.CONNECT_MS < SLOW_START_MS) await warmUp(stage)
  return stage
}

/** With limits above this nothing that is loaded comes too late. */
const SLOW_START_MS = 2000

/** The code of a provider is loaded when it is first asked, and the tokenizer when an answer is first cut. */
async function warmUp({ segno, plan }: Stage): Promise<void> {
  for (const name of WIRE_NAMES) {
    const { id } = await segno.createSession({ model: WIRES[name].model })
    const { mark } = plan((attempt) => (attempt === 1 ? breaksOff : answers))
    await (
      await segno.streamRequest(id, `Hello ${mark}`)
    ).completion
  }
}
