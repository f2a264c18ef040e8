import { join } from 'node:path'
import { compose } from '../../../src/app.ts'
import { LOCAL_OWNER, type Actor } from '../../../src/contract/actor.ts'
import type { Message } from '../../../src/contract/message.ts'
import { canonicalJson } from '../../../src/lib/canonical-json.ts'
import { sha256 } from '../../../src/lib/hash.ts'
import type { Segno } from '../../../src/segno.ts'
import type { Store } from '../../../src/store/index.ts'
import { clockFrom, LATER, PEOPLE, scriptOf, toolsOf } from './stage.ts'

const EVERYONE: readonly Actor[] = [LOCAL_OWNER, ...PEOPLE, { ...(PEOPLE[0] as Actor), id: 'poor' }]

/**
 * Opens a home that was left in the middle of everything and lets it go on, with and without people; says what is there
 * before and after. What is said is the same each time, and has none of the ids that are made on the way.
 */
export async function goOn(home: string, env: Readonly<Record<string, string>> = {}) {
  const looking = await open(home, true, env)
  const before = {
    check: await checked(looking.segno),
    sessions: await everySession(looking.segno, (actor, id) => asStored(looking.segno, actor, id)),
    ...(await beside(looking)),
  }
  const heads = new Map((await allSessions(looking.segno)).map(([, { id, seq }]) => [id, seq]))
  await looking.segno.close()

  const here = await open(home, false, env)
  await quiet(here)
  await here.noJobIsDue()
  const started = await everySession(here.segno, (actor, id) => asToldTo(here.segno, actor, id))
  await people(here)
  const decided = await everySession(here.segno, (actor, id) => asToldTo(here.segno, actor, id))
  const after = {
    sessions: Object.fromEntries(
      Object.entries(decided).filter(([name, told]) => hashOf(told) !== hashOf(started[name])),
    ),
    ...(await beside(here)),
    forks: await forks(here.segno, heads),
  }
  await talk(here)
  const talked = await everySession(here.segno, async (actor, id) => hashOf(await asToldTo(here.segno, actor, id)))
  const check = await checked(here.segno)
  await here.segno.close()
  return { before, started, after, talked, check }
}

interface Opened {
  readonly segno: Segno
  readonly store: Store
  /** Resolves when the jobs that are due now are done: rounds are counted until what is deleted is erased. */
  noJobIsDue(): Promise<void>
}

async function open(home: string, passive: boolean, env: Readonly<Record<string, string>>): Promise<Opened> {
  let store: Store | undefined
  let emptyLooks = 0
  function watched(open: () => Store): Store {
    const opened = (store = open())
    return {
      ...opened,
      async takeJob(now, leaseMs) {
        const job = await opened.takeJob(now, leaseMs)
        if (!job) emptyLooks += 1
        return job
      },
    }
  }
  const segno = await compose(
    {
      home,
      env,
      durability: 'normal',
      model: scriptOf(false),
      builtInTools: false,
      // Where a conversation that is too long is cut is no part of what is compared.
      limits: { MAX_ROUNDS: 200, MAX_COORDINATORS: 500, RETRY_BASE_MS: 1, HISTORY_MESSAGES: 100_000 },
      tools: toolsOf(async () => {}),
      folder: join(home, 'files'),
    },
    { clock: clockFrom(LATER), passive, store: watched },
  )
  async function noJobIsDue(): Promise<void> {
    const before = emptyLooks
    for (;;) {
      if (emptyLooks > before) return
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }
  return { segno, store: store as Store, noJobIsDue }
}

/** Resolves when nothing goes on and nothing is due. */
async function quiet({ segno, store }: Opened): Promise<void> {
  for (;;) {
    const { running, queued } = segno.stats()
    const asked = await segno.rounds.approvals(LOCAL_OWNER, 'pending')
    const rest = [...(await store.unfinished()), ...asked.filter(({ expiresAt }) => expiresAt <= LATER)]
    if (running + queued + rest.length === 0) return
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

/** What people do with what waits for them. */
async function people(here: Opened): Promise<void> {
  const { rounds } = here.segno
  for (const [n, { id }] of (await rounds.approvals(LOCAL_OWNER, 'pending')).entries())
    await rounds.decide(LOCAL_OWNER, id, { decision: n % 3 === 2 ? 'deny' : 'approve' })
  const { items } = await rounds.list(LOCAL_OWNER, { states: ['paused'] })
  for (const { requestId } of items) await rounds.resume(LOCAL_OWNER, requestId)
  const [first, second] = await rounds.unknownCalls(LOCAL_OWNER)
  await rounds.reconcile(LOCAL_OWNER, first?.callId ?? '', true, undefined, first?.sessionId)
  await rounds.reconcile(LOCAL_OWNER, second?.callId ?? '', false, undefined, second?.sessionId)
  await quiet(here)
}

/** One more message in every session: what has been said is what the model is given. */
async function talk(here: Opened): Promise<void> {
  for (const [actor, { id, archived }] of await allSessions(here.segno))
    if (!archived) await here.segno.rounds.send(actor, id, 'look')
  await quiet(here)
}

async function allSessions(segno: Segno) {
  const all = await Promise.all(
    EVERYONE.flatMap((actor) =>
      [false, true].map(async (archived) => {
        const { items } = await segno.sessions.list(actor, { archived, limit: 200 })
        return items.map((session) => [actor, session] as const)
      }),
    ),
  )
  return all.flat().toSorted(([, a], [, b]) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1))
}

async function everySession<T>(
  segno: Segno,
  read: (actor: Actor, id: string) => Promise<T>,
): Promise<Record<string, T>> {
  const told: Record<string, T> = {}
  for (const [actor, { id, title }] of await allSessions(segno)) told[`${title} ${id}`] = await read(actor, id)
  return told
}

/** Nothing has happened yet: everything is as it was, word for word. */
async function asStored(segno: Segno, actor: Actor, id: string) {
  const events = await segno.sessions.events(actor, id)
  const { seq, alias = null, parent = null, open: openRound = null } = await segno.sessions.get(actor, id)
  const { systemPrompt, messages } = await segno.readings.prompt(actor, id)
  return {
    seq,
    ...(alias !== null && { alias }),
    ...(parent && { parent: `${parent.sessionId} ${parent.seq}` }),
    ...(openRound && { open: `${openRound.requestId} ${openRound.state}` }),
    events: hashOf(events),
    messages: hashOf(await segno.sessions.messages(actor, id)),
    middle: hashOf(await segno.sessions.messages(actor, id, Math.ceil(seq / 2))),
    prompt: `${messages} ${hashOf(systemPrompt)}`,
  }
}

async function asToldTo(segno: Segno, actor: Actor, id: string) {
  const { open: openRound, archived, model, protocol } = await segno.sessions.get(actor, id)
  const { items } = await segno.rounds.list(actor, { sessionId: id, limit: 100 })
  const lines = linesOf(await segno.sessions.messages(actor, id))
  return {
    ...(openRound && { open: openRound.state }),
    ...(archived && { archived }),
    ...(model !== undefined && { model }),
    ...(protocol !== undefined && { protocol }),
    rounds: short(
      items.map((round) => {
        const { state, finishReason = '', usage, cost, mode } = round
        return `${state} ${finishReason} ${round.protocol} ${mode} ${usage.input}/${usage.output} ${cost}`
      }),
    ),
    messages: short(lines),
  }
}

/** What is long is said by its length and its hash. */
const short = (lines: string[]): string | string[] => (lines.length > 60 ? `${lines.length} ${hashOf(lines)}` : lines)

/** What a conversation says, without ids. */
function linesOf(messages: readonly Message[]): string[] {
  return messages.flatMap(({ role, content }) =>
    content.map((part) => {
      const told = { ...part, id: undefined, tool_use_id: undefined, providerId: undefined }
      const line = JSON.stringify(told)
      return `${role} ${line.length > 300 ? `${line.slice(0, 200)}… ${hashOf(line)}` : line}`
    }),
  )
}

/** Forks at numbers the log had when it was found, also inside rounds that were open there. */
async function forks(segno: Segno, heads: ReadonlyMap<string, number>): Promise<Record<string, string[]>> {
  const told: Record<string, string[]> = {}
  for (const [actor, { id, title }] of await allSessions(segno)) {
    const head = heads.get(id) ?? 1
    const made: string[] = []
    for (const seq of new Set([1, Math.ceil(head / 3), Math.ceil((head * 2) / 3), head])) {
      const fork = await segno.sessions.fork(actor, id, seq)
      made.push(`${seq} ${hashOf(linesOf(await segno.sessions.messages(actor, fork.id)))}`)
      await segno.sessions.delete(actor, fork.id)
    }
    told[`${title} ${id}`] = made
  }
  return told
}

/** What is in no log, or is asked for across sessions. */
async function beside({ segno, store }: Opened) {
  const each = async <T>(read: (actor: Actor) => Promise<T>): Promise<Record<string, T>> => {
    const entries = await Promise.all(EVERYONE.map(async (actor) => [`${actor.tenant}/${actor.id}`, await read(actor)]))
    return Object.fromEntries(entries) as Record<string, T>
  }
  return {
    approvals: await each(async (actor) =>
      (await segno.rounds.approvals(actor)).map(({ tool, target, status, isQuestion }) =>
        [tool, target, status, isQuestion].join(' '),
      ),
    ),
    unknown: await each(async (actor) =>
      (await segno.rounds.unknownCalls(actor)).map(({ sessionId, tool, outcome }) => `${sessionId} ${tool} ${outcome}`),
    ),
    budgets: await each((actor) => segno.budgets.get(actor)),
    spent: await each(async (actor) =>
      (await store.spending(actor.tenant)).filter(({ userId }) => userId === actor.id),
    ),
    usage: await each((actor) => segno.readings.usage(actor, {})),
    workspaces: await each(async (actor) => (await segno.workspaces.list(actor)).map(({ name }) => name)),
    keys: (await store.keys()).map(({ id, tenant, userId, role, revokedAt }) => ({
      id,
      tenant,
      userId,
      role,
      revokedAt,
    })),
    kept: await store.values('a test'),
    alias: (await segno.sessions.byAlias(LOCAL_OWNER, 'desk'))?.title,
  }
}

async function checked(segno: Segno): Promise<string> {
  const { ok, findings } = await segno.check()
  return ok ? 'sound' : findings.join(' ')
}

const hashOf = (value: unknown): string => sha256(canonicalJson(value)).slice(0, 16)
