import { compose } from '../../../src/app.ts'
import { LOCAL_OWNER, type Actor } from '../../../src/contract/actor.ts'
import type { EventType } from '../../../src/contract/event.ts'
import type { InputBody } from '../../../src/contract/input.ts'
import type { MessageContent } from '../../../src/contract/message.ts'
import { newId } from '../../../src/lib/id.ts'
import type { NewSession, SendOptions } from '../../../src/round/index.ts'
import type { Store } from '../../../src/store/index.ts'
import { clockFrom, FIRST_DAY, PEOPLE, picture, scriptOf, SECOND_DAY, toolsOf } from './stage.ts'

/** One life of the process that makes the home; run by `make.ts`. Two of the three end with SIGKILL. */
const [home = '', life = ''] = process.argv.slice(2)
const isFirst = life === 'first'

const latches = new Map<string, PromiseWithResolvers<void>>()
const entered = new Map<string, PromiseWithResolvers<void>>()

function of(all: typeof latches, key: string): PromiseWithResolvers<void> {
  const found = all.get(key) ?? Promise.withResolvers<void>()
  all.set(key, found)
  return found
}

let store: Store | undefined
const segno = await compose(
  {
    home,
    env: {},
    model: scriptOf(true),
    builtInTools: false,
    limits: { MAX_ROUNDS: 200, MAX_COORDINATORS: 500, RETRY_BASE_MS: 1 },
    tools: toolsOf(async (_name, { sessionId }) => {
      of(entered, sessionId).resolve()
      await of(latches, sessionId).promise
    }),
  },
  {
    clock: clockFrom(isFirst ? FIRST_DAY : SECOND_DAY),
    store(open) {
      store = open()
      // What is deleted in the life that is killed waits to be erased.
      return isFirst ? store : { ...store, takeJob: () => Promise.resolve(undefined) }
    },
  },
)
const raw = store as Store
const { sessions, rounds } = segno

async function until(actor: Actor, id: string, type: EventType, times = 1): Promise<void> {
  let seen = 0
  for await (const frame of segno.follow(id, { actor }))
    if (frame.kind === 'event' && frame.event.type === type && ++seen === times) return
}

/** A session that can be talked to. */
async function make(title: string, wanted: NewSession = {}, actor: Actor = LOCAL_OWNER) {
  const { id } = await sessions.create(actor, { title, ...wanted })
  return one(id, actor)
}

function one(id: string, actor: Actor = LOCAL_OWNER) {
  const send = (content: MessageContent, options: SendOptions = {}) => rounds.send(actor, id, content, options)
  return {
    id,
    send,
    until: (type: EventType, times?: number) => until(actor, id, type, times),
    head: async () => (await sessions.get(actor, id)).seq,
    async ask(content: MessageContent, options?: SendOptions) {
      const { requestId } = await send(content, options)
      await segno.completion(id, requestId, { actor })
      return requestId
    },
    async askUntil(type: EventType, content: MessageContent, options?: SendOptions) {
      const times = (await sessions.events(actor, id)).filter((event) => event.type === type).length + 1
      const { requestId } = await send(content, options)
      await until(actor, id, type, times)
      return requestId
    },
    async hang(content: MessageContent, options?: SendOptions) {
      const { requestId } = await send(content, options)
      await of(entered, id).promise
      return requestId
    },
    async fork(title: string, seq?: number) {
      const at = seq ?? (await sessions.get(actor, id)).seq
      return one((await sessions.fork(actor, id, at, title)).id, actor)
    },
    /** Stored, and looked at by nobody before the process is killed. */
    input: (key: string, body: InputBody) => raw.putInput({ id: newId(), sessionId: id, key, at: SECOND_DAY, body }),
    async pending() {
      const all = await rounds.approvals(actor, 'pending')
      return all.filter(({ sessionId }) => sessionId === id)
    },
  }
}

async function firstDay(): Promise<void> {
  const plain = await make('plain')
  await plain.ask('hello')
  await plain.ask([{ type: 'text', text: 'what is this?' }, picture])
  await plain.ask('broken')
  await plain.ask('once', { messageId: 'm-1' })

  const tools = await make('tools')
  for (const content of ['look', 'each', 'print', 'picture', 'odd', 'endless']) await tools.ask(content)
  await tools.ask('each', { mode: 'plan' })
  await tools.ask('mail', { attended: false })
  const triggered = await make('triggered', { protocol: 'triggered' })
  for (const content of ['look', 'again', 'each', 'odd', 'print']) await triggered.ask(content)

  const fork = await tools.fork('fork', 20)
  await fork.ask('look')
  const forkOfFork = await fork.fork('fork of a fork')
  await forkOfFork.ask('print')
  await forkOfFork.fork('fork of a fork of a fork', 12)
  const parent = await make('deleted parent')
  await parent.ask('print')
  await parent.ask('picture')
  const living = await parent.fork('fork of the deleted')
  await parent.ask('not shared')
  await sessions.delete(LOCAL_OWNER, parent.id)
  await living.ask('look')
  const [gone, goneToo] = [await make('gone'), await make('gone too', { alias: 'was here' })]
  for (const each of [gone, goneToo]) {
    await each.ask('picture')
    await sessions.delete(LOCAL_OWNER, each.id)
  }

  const archived = await make('archived')
  await archived.ask('look')
  await sessions.archive(LOCAL_OWNER, archived.id)
  const aliased = await make('aliased', { alias: 'desk' })
  await aliased.ask('hello')
  await sessions.change(LOCAL_OWNER, aliased.id, {
    title: 'aliased and changed',
    model: 'scripted',
    protocol: 'triggered',
  })
  await aliased.ask('look')

  const remembered = await make('remembered')
  await remembered.askUntil('round.waiting', 'mail')
  for (const { id } of await remembered.pending())
    await rounds.decide(LOCAL_OWNER, id, { decision: 'approve', remember: 'session' })
  await remembered.until('round.ended')
  await remembered.ask('mail')
  await remembered.fork('fork of the remembered')
  const denied = await make('denied')
  await denied.askUntil('round.waiting', 'mails')
  for (const { id } of await denied.pending()) await rounds.decide(LOCAL_OWNER, id, { decision: 'deny', reason: 'No.' })
  await denied.until('round.ended')

  const cleared = await make('cleared')
  for (const content of ['look', 'print']) await cleared.ask(content)
  await sessions.clear(LOCAL_OWNER, cleared.id)
  await cleared.ask('after')
  await cleared.fork('fork of the cleared', 15)
  const erased = await make('erased')
  for (const content of ['look', 'print', 'hello']) await erased.ask(content)
  const events = await sessions.events(LOCAL_OWNER, erased.id)
  for (const type of ['message.user', 'tool.result', 'message.assistant'] as const) {
    const found = events.find((event) => event.type === type)
    await sessions.deleteMessage(LOCAL_OWNER, erased.id, found?.id ?? '')
  }
  await erased.ask('after')
  await erased.fork('fork before the erasing', 12)

  const doubt = await make('doubt')
  await doubt.ask('lost')
  await doubt.fork('fork in doubt')
  const settled = await make('settled')
  await settled.ask('lost')
  for (const { callId, sessionId } of await rounds.unknownCalls(LOCAL_OWNER))
    if (sessionId === settled.id) await rounds.reconcile(LOCAL_OWNER, callId, true, 'It was there.')
  await (await settled.fork('fork of the settled')).ask('lost')

  const cancelled = await make('cancelled')
  const stuck = await cancelled.askUntil('turn.started', 'stall')
  await rounds.cancel(LOCAL_OWNER, cancelled.id, stuck)
  await cancelled.until('round.ended')
  const interrupted = await make('interrupted')
  await interrupted.askUntil('turn.started', 'stall')
  await interrupted.ask('go on', { onBusy: 'interrupt' })

  await accounts()
  for (const actor of PEOPLE) {
    const theirs = await make(`of ${actor.tenant}/${actor.id}`, {}, actor)
    for (const content of ['look', 'pay', 'each']) await theirs.ask(content)
    await (await theirs.fork(`fork of ${actor.tenant}/${actor.id}`, 6)).ask('pay')
  }
  const poor = await make('poor', {}, { ...(PEOPLE[0] as Actor), id: 'poor' })
  await poor.ask('hello')

  const late = await make('late')
  await late.askUntil('round.waiting', 'mail')
  const long = await make('long')
  for (let i = 1; i <= 37; i++) await long.ask(`many ${i}`)
  await long.fork('fork of the long', 700)
}

async function accounts(): Promise<void> {
  const key = await segno.keys.add(LOCAL_OWNER, { name: 'one', userId: 'ada', tenant: 'acme', role: 'admin' })
  await segno.keys.add(LOCAL_OWNER, { name: 'two', userId: 'b c', tenant: 'a', scopes: ['chat:read'] })
  await segno.keys.add(LOCAL_OWNER, { name: 'three', role: 'super_admin' }, 'once')
  await segno.keys.revoke(LOCAL_OWNER, key.id)
  const manager: Actor = { ...(PEOPLE[0] as Actor), id: 'boss', permissions: ['*'] }
  await segno.budgets.set(manager, '*', { dailyTokens: 50_000_000 })
  await segno.budgets.set(manager, 'ada', { dailyTokens: 90_000_000, dailyToolCost: 1_000_000, dailyCost: 2_000_000 })
  await segno.budgets.set(manager, 'poor', { dailyTokens: 1 })
  await segno.budgets.set(manager, 'nobody', { dailyCost: 5 })
  await segno.budgets.remove(manager, 'nobody')
  await segno.workspaces.create(manager, { name: 'Theirs', instructions: 'Be brief.' })
  const own = await segno.workspaces.create(LOCAL_OWNER, { name: 'Own', instructions: 'Be kind.' }, 'once')
  const there = await make('in a workspace', { workspaceId: own.id })
  await there.ask('look')
  await segno.workspaces.change(LOCAL_OWNER, own.id, { instructions: 'Be kinder.' })
  await segno.audit.denied(PEOPLE[1] as Actor, 'PERMISSION_DENIED')
  await raw.putValue('a test', 'one', { small: true }, FIRST_DAY)
}

async function killedOnce(): Promise<void> {
  const twice = await make('killed twice')
  await twice.ask('hello')
  await twice.askUntil('turn.started', 'stall')
}

async function secondDay(): Promise<void> {
  const waits = await make('waits')
  await waits.ask('hello')
  await waits.askUntil('round.waiting', 'mails')
  const forkOfOpen = await waits.fork('fork of an open one')
  await forkOfOpen.ask('look')
  await (await make('waits, triggered', { protocol: 'triggered' })).askUntil('round.waiting', 'mail')
  const decided = await make('decided')
  await decided.askUntil('round.waiting', 'mail')
  const paused = [
    await make('paused'),
    await make('paused, triggered', { protocol: 'triggered' }),
    await make('resumed'),
  ]
  const requests: string[] = []
  for (const each of paused) {
    const requestId = await each.hang('latch')
    requests.push(requestId)
    await rounds.pause(LOCAL_OWNER, requestId)
    of(latches, each.id).resolve()
    await each.until('round.paused')
  }

  const inModel = await make('in a model call')
  await inModel.askUntil('turn.started', 'stall')
  await inModel.fork('fork of a running one')
  await (await make('in a second model call')).askUntil('tool.result', 'look and stall')
  await (await make('in a model call, triggered', { protocol: 'triggered' })).askUntil('tool.result', 'look and stall')
  for (const what of ['pure', 'keyed', 'lookable', 'absent', 'unsafe'])
    for (const protocol of ['unified', 'triggered'] as const) {
      const each = await make(`in a call, ${what}, ${protocol}`, { protocol })
      await each.hang(`hang ${what}`)
      if (what === 'pure') await each.until('tool.call')
      if (what === 'unsafe') await each.fork(`fork in a call, ${protocol}`)
    }
  await (await make('asks')).askUntil('approval.requested', 'wonder')
  for (const actor of PEOPLE) {
    await (await make(`paid by ${actor.tenant}/${actor.id}`, {}, actor)).hang('hang paid')
    await (await make(`stalled for ${actor.tenant}/${actor.id}`, {}, actor)).askUntil('turn.started', 'stall')
  }

  const queue = await make('queue')
  await queue.ask('first')
  const firstEvents = await sessions.events(LOCAL_OWNER, queue.id)
  await queue.askUntil('turn.started', 'stall')
  await queue.send('second')
  await sessions.clear(LOCAL_OWNER, queue.id)
  await queue.send('third', { messageId: 'm-3' })
  const { requestId: fourth } = await queue.send('fourth')
  await rounds.cancel(LOCAL_OWNER, queue.id, fourth)
  const said = firstEvents.find(({ type }) => type === 'message.user')
  await sessions.deleteMessage(LOCAL_OWNER, queue.id, said?.id ?? '')
  await sessions.change(LOCAL_OWNER, queue.id, { title: 'queue, renamed' })
  await queue.send([{ type: 'text', text: 'fifth' }, picture])
  const behind = await make('waits, with one behind')
  await behind.askUntil('round.waiting', 'mail')
  await behind.send('behind')
  const stopped = await make('cancelled, not heard of')
  const stoppedRound = await stopped.askUntil('turn.started', 'stall')
  const doomed = await make('deleted, not heard of')
  await doomed.askUntil('turn.started', 'stall')
  const told = await make('reconciled, not heard of')
  await told.ask('lost')
  const [call] = (await rounds.unknownCalls(LOCAL_OWNER)).filter(({ sessionId }) => sessionId === told.id)
  const last = await make('deleted last')
  await last.ask('picture')
  await sessions.delete(LOCAL_OWNER, last.id)
  await strangeJob()

  const by = LOCAL_OWNER.id
  const [approval] = await decided.pending()
  const approvalId = approval?.id ?? ''
  await decided.input(`decision:${approvalId}`, { kind: 'decision', approvalId, decision: 'approve', by })
  const [, , requestId = ''] = requests
  await paused[2]?.input(`resume:${requestId}`, { kind: 'resume', requestId, by })
  await stopped.input(`cancel:${stoppedRound}`, { kind: 'cancel', requestId: stoppedRound, by })
  await doomed.input('delete', { kind: 'delete', by })
  const callId = call?.callId ?? ''
  await told.input(`reconcile:${callId}`, { kind: 'reconcile', callId, happened: false, by })
}

/** A job of a kind that only a later version knows. */
async function strangeJob(): Promise<void> {
  const { id, tenant } = LOCAL_OWNER
  const data = { actor: { id, tenant }, workspaceId: 'system', title: 'with a strange job' }
  await raw.commit({
    sessionId: newId(),
    epoch: 1,
    expected: 0,
    create: {},
    events: [{ id: newId(), type: 'session.created', v: 1, at: SECOND_DAY, requestId: null, data }],
    jobs: [{ kind: 'of a later version', payload: { small: true }, runAt: SECOND_DAY }],
  })
}

if (isFirst) {
  await firstDay()
  // What was deleted is erased before the end.
  while (await raw.takeJob(FIRST_DAY * 2, 0)) await new Promise((resolve) => setTimeout(resolve, 100))
  await segno.close()
} else {
  await (life === 'killed' ? secondDay() : killedOnce())
  process.kill(process.pid, 'SIGKILL')
}
