import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { compose } from '../../../src/app.ts'
import type { Limits } from '../../../src/config/index.ts'
import { LOCAL_OWNER, type Actor } from '../../../src/contract/actor.ts'
import type { Tool } from '../../../src/contract/tool.ts'
import type { Clock } from '../../../src/lib/clock.ts'
import { sha256 } from '../../../src/lib/hash.ts'
import { newId } from '../../../src/lib/id.ts'
import type { Script } from '../../../src/model/index.ts'
import type { Segno } from '../../../src/segno.ts'
import type { Store } from '../../../src/store/index.ts'
import { probe } from '../../support/probe-tool.ts'
import { storeSettings } from '../../support/store-under-test.ts'
import type { McpServers } from './mcp-servers.ts'
import { startOutside, type Outside } from './outside.ts'
import { tablesIn } from './tables-in.ts'

/** Whose things are asked for. */
export const ADA: Actor = { id: 'ada', kind: 'user', tenant: 'acme', permissions: ['*'] }

const SCRIPT: Script = {
  scenarios: [
    { when: 'asks', turns: [{ calls: [{ name: 'send', args: { to: 'Zanzibar argument' } }] }, { text: 'Sent.' }] },
    { when: 'doubts', turns: [{ calls: [{ name: 'doubt' }] }, { text: 'Who knows.' }] },
    { when: 'breaks', turns: [{ fault: { kind: 'error', status: 400 } }] },
    { when: 'slow', turns: [{ text: 'Zanzibar '.repeat(300), delayMs: 20, deltaChars: 2 }] },
    { when: 'pauses', turns: [{ calls: [{ name: 'hold' }] }, { text: 'There.' }] },
  ],
  otherwise: { text: 'Zanzibar answer' },
}

export interface Stage {
  readonly segno: Segno
  readonly home: string
  /** A changed tool of the MCP server `files` that nobody has taken yet. */
  quarantinedTool(): Promise<{ name: string; hash: string }>
  /** A new stored job that nobody tries any more. */
  parkedJob(): Promise<number>
  readonly outside: Outside
  /** moves the clock on */
  pass(ms: number): void
  now(): number
  /** A key as its holder sends it; with `operator` among its scopes it may run the installation. */
  key(
    tenant: string,
    userId: string,
    scopes: readonly string[],
    livesMs?: number,
  ): Promise<{ id: string; text: string }>
  /** A hash of each table that somebody who asks could change, except the audit log; once no job waits. */
  dump(): Promise<Record<string, string>>
  close(): Promise<void>
}

/** `servers`: they are closed with the stage. */
export async function openStage(
  env: Record<string, string> = {},
  limits: Partial<Limits> = {},
  servers?: McpServers,
): Promise<Stage> {
  const home = mkdtempSync(join(tmpdir(), 'segno-security-'))
  let ahead = 0
  const clock: Clock = { now: () => Date.now() + ahead }
  const hold = probe('hold', {
    async run(_, { requestId }) {
      await segno.rounds.pause(ADA, requestId)
      return 'held'
    },
  })
  let store: Store | undefined
  const outside = await startOutside()
  const settings = await storeSettings(home)
  const segno: Segno = await compose(
    {
      home,
      env: {
        TWO_STAGE_ENABLED: 'true',
        SEGNO_LOG: 'off',
        SEGNO_WORKFLOW_ORIGINS: outside.origin,
        ...settings,
        ...servers?.env,
        ...env,
      },
      durability: 'normal',
      builtInTools: false,
      model: SCRIPT,
      tools: [...TOOLS, hold],
      limits: {
        DRAIN_MS: 50,
        RATE_PER_MINUTE: 0,
        MAX_ROUNDS: 1000,
        PROVIDERS: 1000,
        AUTOMATIONS: 10_000,
        MCP_TOOLS: 400,
        ...limits,
      },
    },
    { clock, store: (open) => (store = open()) },
  )
  let taken = 0
  await servers?.change(segno)
  return {
    segno,
    home,
    outside,
    now: clock.now,
    async quarantinedTool() {
      const found = await segno.mcp.quarantined(LOCAL_OWNER)
      const next = found.find(({ tool }) => tool === `tool${taken}`)
      if (!next) throw new Error(`tool${taken} is not held back`)
      taken += 1
      return { name: next.tool, hash: next.hash }
    },
    async parkedJob() {
      const sessionId = newId()
      const { id, tenant } = ADA
      const data = { actor: { id, tenant }, workspaceId: 'system', title: 'Zanzibar title' }
      const event = { id: newId(), type: 'session.created', v: 1, at: clock.now(), requestId: null, data } as const
      // Of a kind nobody knows: it is parked again when it is tried.
      const jobs = [{ kind: 'strange', payload: {}, runAt: clock.now() + 1e12 }]
      await store?.commit({ sessionId, epoch: 1, expected: 0, create: {}, events: [event], jobs })
      const { items = [] } = (await store?.jobs({ state: 'waiting' })) ?? {}
      const made = items.findLast(({ kind }) => kind === 'strange')?.id ?? 0
      await store?.parkJob(made, clock.now(), 'UNKNOWN_KIND')
      return made
    },
    pass: (ms) => void (ahead += ms),
    async key(tenant, userId, scopes, livesMs) {
      const operator = scopes.includes('operator')
      const narrowed = scopes.filter((scope) => scope !== 'operator')
      const wanted = { name: 'a key', tenant, userId, role: 'super_admin', scopes: narrowed, operator } as const
      const made = await segno.keys.add(LOCAL_OWNER, {
        ...wanted,
        ...(livesMs !== undefined && { expiresAt: clock.now() + livesMs }),
      })
      return { id: made.id, text: made.secret ?? '' }
    },
    async dump() {
      for (;;) {
        const { done, all } = await segno.documents.index(ADA)
        const rows = await tablesIn(segno, home)
        // What is still done in the background (erasing a deleted session, telling an event, embedding a document) is no
        // doing of those who ask.
        const isWaiting = done < all || rows['jobs']?.includes('"parked_at":null') || rows['outbox'] !== ''
        if (!isWaiting) return Object.fromEntries(Object.entries(rows).map(([name, text]) => [name, sha256(text)]))
        await setTimeout(10)
      }
    },
    async close() {
      await segno.close()
      await servers?.close()
      await outside.close()
      rmSync(home, { recursive: true, force: true })
    },
  }
}

const TOOLS: readonly Tool[] = [
  probe('send', { effect: 'unsafe', approval: 'ask', target: () => 'Zanzibar target' }),
  probe('doubt', {
    effect: 'unsafe',
    run() {
      throw Object.assign(new Error('lost'), { effect: 'unknown' })
    },
  }),
]
