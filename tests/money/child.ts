import { appendFileSync, writeSync } from 'node:fs'
import { compose } from '../../src/app.ts'
import { LOCAL_OWNER } from '../../src/contract/actor.ts'
import { Problem } from '../../src/contract/problem.ts'
import { delay } from '../../src/lib/delay.ts'
import { watchTransactions } from '../crash/watched-ports.ts'
import { storeSettings } from '../support/store-under-test.ts'
import { plantInDatabase, plantInStore } from './faults.ts'
import { ONCE, paidTools } from './paid-tools.ts'
import { planTalks, type MoneyLife, type Talk } from './plan.ts'
import { messageOf, scriptOf } from './script-of.ts'

/** One life of Segno: all its rounds at once on one budget, until they have ended or it is killed. */
const life = JSON.parse(process.env['MONEY_LIFE'] ?? '') as MoneyLife
const talks = planTalks(life)
const PATIENCE_MS = 40_000
const PRICES = { input: 1_000_000, output: 3_000_000 }

const seen = { transaction: 0, call: 0 }
function dieIn(what: keyof typeof seen): void {
  seen[what] += 1
  if (life.death?.on !== what || seen[what] !== life.death.nth) return
  process.kill(process.pid, 'SIGKILL')
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
}
watchTransactions(() => dieIn('transaction'))
plantInDatabase(life.fault)
appendFileSync(life.world, 'a new life\n')

const segno = await compose(
  {
    home: life.home,
    durability: 'normal',
    model: scriptOf(talks),
    builtInTools: false,
    env: await storeSettings(life.home),
    tools: paidTools(life.world, (name) => void (ONCE.includes(name) && dieIn('call'))),
    limits: { MAX_ROUNDS: 300, MAX_COORDINATORS: 1000, QUEUE_LENGTH: 1000, RETRY_BASE_MS: 10, BREAKER_FAILURES: 0 },
  },
  {
    store: (open) => plantInStore(life.fault, open()),
    deps: (deps) => ({ ...deps, model: (key) => ({ ...deps.model(key), prices: PRICES, maxOutput: 150 }) }),
  },
)

/** Sends its message, again under the same id, and sees its round to the end. */
async function talk(one: Talk): Promise<unknown> {
  const alias = `talk-${one.n}`
  const { id } = (await segno.sessions.byAlias(LOCAL_OWNER, alias)) ?? (await segno.createSession({ alias }))
  const { requestId } = await send(id, one, alias)
  if (one.cancelMs !== undefined)
    void delay(one.cancelMs).then(() => segno.rounds.cancel(LOCAL_OWNER, id, requestId).catch(ignore))
  const forked = one.forkMs === undefined ? undefined : delay(one.forkMs).then(() => fork(one, id))
  sent += 1
  if (sent === talks.length) writeSync(1, 'ready\n')
  return Promise.all([segno.completion(id, requestId), forked])
}

function send(id: string, one: Talk, messageId: string) {
  const { protocol, totalMs } = one
  const limits = totalMs === undefined ? {} : { totalMs }
  return segno.rounds.send(LOCAL_OWNER, id, messageOf(one), { messageId, protocol, limits })
}

/** A fork ends the round it inherits, and has one of its own. */
async function fork(one: Talk, sessionId: string): Promise<void> {
  const { seq } = await segno.sessions.get(LOCAL_OWNER, sessionId)
  const { id } = await segno.sessions.fork(LOCAL_OWNER, sessionId, seq)
  const { requestId } = await send(id, one, `fork-${id}`)
  await segno.completion(id, requestId)
}

/** A person who decides whatever comes, one in four times with a no. */
async function decide(): Promise<number> {
  const pending = await segno.rounds.approvals(LOCAL_OWNER, 'pending')
  for (const { id } of pending) {
    const decision = id.charCodeAt(id.length - 1) % 4 === 0 ? 'deny' : 'approve'
    await segno.rounds.decide(LOCAL_OWNER, id, { decision }).catch(ignore)
  }
  return pending.length
}

/** Somebody or something else was faster. */
function ignore(error: unknown): void {
  if (!(error instanceof Problem)) throw error
}

let sent = 0
const over = new AbortController()
const people = (async () => {
  while (!over.signal.aborted) {
    await decide()
    await delay(20)
  }
})()

async function everythingEnds(): Promise<void> {
  await Promise.all(talks.map(talk))
  // Rounds of forks that earlier lives made are nobody's to wait for by name.
  for (let quiet = 0; quiet < 3;) {
    const { running, queued } = segno.stats()
    quiet = running + queued + (await decide()) === 0 ? quiet + 1 : 0
    await delay(20)
  }
}

const ended = await Promise.race([everythingEnds().then(() => true), delay(PATIENCE_MS).then(() => false)])
over.abort()
await people
if (ended) await segno.close()
process.exit(ended ? 0 : 3)
