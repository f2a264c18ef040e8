import { setImmediate as nextLoop } from 'node:timers/promises'
import { vi } from 'vitest'
import type { Actor } from '../../src/contract/actor.ts'
import type { Message, MessageContent } from '../../src/contract/message.ts'
import { Problem } from '../../src/contract/problem.ts'
import type { LaterAnswer } from '../../src/contract/tool.ts'
import { close, fold, toMessages, type Round } from '../../src/session/index.ts'
import { append } from './invariants/append.ts'
import { APPROVAL_MS, Life, type Process } from './life.ts'
import type { Act, RoundPlan } from './plan.ts'
import { PICTURE } from './random-tools.ts'
import { nth, type Stage } from './stage.ts'
import { waitFor } from './wait-for.ts'

const OWNER: Actor = { id: 'owner', kind: 'user', tenant: 'local', permissions: ['*'] }
const MOST_LIVES = 12
const MOST_RESTS = 12
const MOST_STEPS = 100

/** Plays a plan to its end. Time is faked: it passes only when nothing else happens. */
export async function play(stage: Stage): Promise<void> {
  const player = new Player(stage)
  try {
    await player.play()
  } finally {
    vi.clearAllTimers()
  }
}

class Player {
  readonly #stage: Stage
  readonly #clock: { now(): number }
  #now!: Process
  #lives = 0
  #rests = 0
  #steps = 0
  #pending: Promise<unknown>[] = []
  readonly #acts: { at: number; act: Act; pick: number }[]

  constructor(stage: Stage) {
    this.#stage = stage
    this.#acts = [...stage.plan.acts].sort((a, b) => a.at - b.at)
    // Every look at the clock takes a while, so that steps have a length.
    let looks = 0
    this.#clock = { now: () => Date.now() + looks++ }
    stage.onStored = (sessionId) => {
      while (this.#acts[0] && this.#acts[0].at <= stage.events) {
        const { act, pick } = this.#acts.shift() as { act: Act; pick: number }
        queueMicrotask(() => this.#begin(() => this.#act(sessionId, act, pick)))
      }
    }
  }

  async play(): Promise<void> {
    const stage = this.#stage
    await this.#begetLife()
    const { id } = await this.#now.sessions.create(OWNER, { title: 'first' })
    for (const round of stage.plan.rounds) {
      const living = [id, ...stage.forks.map((fork) => fork.id)].filter((one) => !fold(stage.log(one)).deleted)
      if (living.length === 0) return
      const sessionId = nth(living, round.on)
      if (round.reconcile) {
        this.#begin(() => this.#act(sessionId, 'reconcile', round.on))
        await this.#settle()
      }
      this.#begin(() => this.#send(sessionId, round, round.onBusy))
      await this.#settle()
    }
    await this.#checkMessages()
  }

  /** What a reader is shown as of any event is what closing there would leave. */
  async #checkMessages(): Promise<void> {
    const stage = this.#stage
    for (const [id, log] of stage.logs) {
      const seq = 1 + ((this.#steps * 13) % log.length)
      const state = fold(log.slice(0, seq))
      if (fold(log).deleted) continue
      append(state, close(state.round, 'cancelled'))
      const shown = await this.#now.sessions.messages(OWNER, id, seq)
      const contents = (messages: readonly Message[]): string => JSON.stringify(messages.map(({ content }) => content))
      if (contents(shown) !== contents(toMessages(state.history))) {
        stage.faults.push(`session ${id} as of ${seq} is shown otherwise than it would be closed`)
      }
    }
  }

  /** Until every session is at rest and nobody wants anything of it. */
  async #settle(): Promise<void> {
    for (;;) {
      if (++this.#steps > MOST_STEPS) throw new Error('this history does not come to an end')
      if (this.#now.life.dead) {
        await this.#begetLife()
        continue
      }
      const pending = this.#pending
      this.#pending = []
      if (!(await this.#until(Promise.all(pending)))) continue
      // What every tick of the clock does.
      if (!(await this.#until(this.#now.coordinator.rescue()))) continue
      if (!(await this.#settled()) || this.#pending.length > 0) continue
      const resting = this.#openRounds().filter(([, round]) => round.rest !== null)
      if (resting.length === 0 || !this.#endRest(resting)) return this.#checkRest()
    }
  }

  async #settled(): Promise<boolean> {
    for (const sessionId of this.#stage.logs.keys()) {
      if (!(await this.#until(this.#now.coordinator.settled(sessionId, true)))) return false
    }
    return true
  }

  #openRounds(): [string, Round][] {
    return [...this.#stage.logs].flatMap(([id, log]) => {
      const { round, deleted } = fold(log)
      return round && !deleted ? [[id, round]] : []
    })
  }

  /** Nothing may be left lying: a round runs to its end or rests, and what came from outside has been folded in. */
  async #checkRest(): Promise<void> {
    const stage = this.#stage
    for (const [id, log] of stage.logs) {
      const { round, deleted } = fold(log)
      if (deleted) continue
      if (round && round.rest === null) stage.faults.push(`round ${round.requestId} is left running`)
      const left = round ? [] : await stage.store.pendingInputs(id)
      if (left.length > 0) stage.faults.push(`inputs are left lying: ${left.map(({ body }) => body.kind).join()}`)
    }
  }

  /** What the plan does about rounds that rest; false if they are left resting. */
  #endRest(resting: readonly [string, Round][]): boolean {
    const how = nth(this.#stage.plan.rests, this.#rests++)
    const { life } = this.#now
    if (how === 'leave' || (how === 'crash' && !life.mortal) || this.#rests > MOST_RESTS) return false
    if (how === 'crash') {
      life.kill()
      return true
    }
    if (how === 'expire') vi.setSystemTime(Date.now() + APPROVAL_MS + 1)
    for (const [sessionId, round] of resting) {
      const { rounds, coordinator } = this.#now
      const { requestId } = round
      this.#begin(async () => {
        if (how === 'cancel') return rounds.cancel(OWNER, sessionId, requestId)
        if (how === 'interrupt') return this.#send(sessionId, nth(this.#stage.plan.rounds, this.#rests), 'interrupt')
        if (round.rest === 'paused') return rounds.resume(OWNER, requestId)
        if (how === 'expire') return coordinator.wake(sessionId)
        for (const { callId, state } of round.calls)
          if (state === 'submitted') await rounds.answerCall(OWNER, { sessionId, callId }, answerFor(how === 'deny'))
        const asked = round.calls.filter((call) => call.state === 'waiting').map((call) => call.approval?.approvalId)
        for (const approvalId of how === 'partly' ? asked.slice(-1) : asked) {
          await rounds.decide(OWNER, approvalId ?? '', {
            decision: how === 'deny' ? 'deny' : 'approve',
            ...(how === 'deny' && { reason: 'rather not' }),
            ...(how === 'remember' && { remember: 'session' }),
          })
        }
      })
    }
    return true
  }

  async #send(sessionId: string, round: RoundPlan, onBusy: RoundPlan['onBusy']): Promise<void> {
    const { rounds, sessions } = this.#now
    const { protocol, mode, toolResultsAs, attended, permissions, limits, file, params } = round
    if (fold(this.#stage.log(sessionId)).archived) await sessions.change(OWNER, sessionId, { archived: false })
    const options = { protocol, mode, toolResultsAs, attended, limits, onBusy, ...params }
    await rounds.send({ ...OWNER, permissions }, sessionId, contentWith(file), options)
  }

  async #act(sessionId: string, act: Act, pick: number): Promise<void> {
    const { rounds, sessions } = this.#now
    const stage = this.#stage
    const log = stage.log(sessionId)
    const requestId = log.findLast((event) => event.type === 'round.started')?.requestId ?? ''
    switch (act) {
      case 'cancel':
        return rounds.cancel(OWNER, sessionId, requestId)
      case 'pause':
        return rounds.pause(OWNER, requestId)
      case 'interrupt':
      case 'queue':
        return this.#send(sessionId, nth(stage.plan.rounds, pick), act)
      case 'rename':
        return sessions.change(OWNER, sessionId, { title: `named ${pick}`, protocol: pick % 2 ? 'triggered' : null })
      case 'compact':
        return sessions.compact(OWNER, sessionId)
      case 'archive':
        return void (await sessions.archive(OWNER, sessionId))
      case 'clear':
        return void (await sessions.clear(OWNER, sessionId))
      case 'delete-message': {
        const said = log.filter((event) =>
          ['message.user', 'message.assistant', 'tool.result', 'tool.call'].includes(event.type),
        )
        if (said.length === 0) return
        return void (await sessions.deleteMessage(OWNER, sessionId, nth(said, pick).id))
      }
      case 'fork':
        await sessions.fork(OWNER, sessionId, 1 + (pick % log.length))
        return
      case 'reconcile': {
        const calls = (await rounds.unknownCalls(OWNER)).filter((call) => stage.logs.has(call.sessionId))
        if (calls.length > 0) await rounds.reconcile(OWNER, nth(calls, pick).callId, pick % 2 === 0)
        return
      }
      case 'answer': {
        // Of any call: one that waits for it, one that runs, one that has its result.
        const calls = log.filter((event) => event.type === 'tool.call')
        const { callId } = calls.length > 0 ? nth(calls, pick).data : { callId: 'none' }
        return void (await rounds.answerCall(OWNER, { sessionId, callId }, answerFor(pick % 3 === 0)))
      }
      case 'delete':
        await sessions.delete(OWNER, sessionId)
        await stage.store.purge(sessionId)
        return
      case 'stop': {
        const { life, coordinator } = this.#now
        if (!life.mortal) return
        await coordinator.drain(pick % 2 === 0 ? 0 : 10_000)
        life.stop()
      }
    }
  }

  /** Begins something nobody waits for here. What a caller may be told is no fault. */
  #begin(what: () => Promise<unknown>): void {
    const told = ['NOT_FOUND', 'CONFLICT', 'BUSY', 'SHUTTING_DOWN', 'STORE_UNAVAILABLE', 'VALIDATION_ERROR']
    const heard = what().catch((error: unknown) => {
      if (!(error instanceof Problem) || !told.includes(error.code)) throw error
    })
    // Nobody hears what a process says after its death.
    heard.catch(() => {})
    this.#pending.push(heard)
  }

  /** The next process starts where the last one was killed. */
  async #begetLife(): Promise<void> {
    vi.clearAllTimers()
    // What the last one had handed to the database is written or lost before the next one looks.
    await nextLoop()
    await nextLoop()
    const { crashes, toolboxes } = this.#stage.plan
    const crash = crashes[this.#lives]
    const toolbox = nth(toolboxes, this.#lives)
    this.#lives += 1
    this.#now = await Life.begin(this.#stage, this.#clock, this.#lives < MOST_LIVES, crash, toolbox)
    this.#pending = []
    await this.#until(this.#now.coordinator.rescue())
  }

  #until(what: Promise<unknown>): Promise<boolean> {
    return waitFor(what, this.#now.life)
  }
}

function contentWith(bytes: number): MessageContent {
  if (bytes === 0) return 'do something'
  const mediaType = bytes > 100 ? 'image/png' : 'text/plain'
  const data = bytes > 100 ? Buffer.concat([PICTURE, Buffer.alloc(bytes - 500)]) : Buffer.alloc(bytes, 'note')
  return [
    { type: 'text', text: 'look at this' },
    { type: 'file', mediaType, data },
  ]
}

const answerFor = (fails: boolean): LaterAnswer => (fails ? { error: 'it broke' } : { output: 'it came' })
