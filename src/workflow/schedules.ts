import type { Actor } from '../contract/actor.ts'
import type { Action, Automation, ScheduleBody } from '../contract/automation.ts'
import { hasEnded } from '../contract/invocation.ts'
import type { JsonObject } from '../contract/message.ts'
import { invalidField } from '../contract/problem.ts'
import type { Clock } from '../lib/clock.ts'
import { keyOf } from '../lib/key-of.ts'
import { createLanes } from '../lib/lanes.ts'
import { loopStep } from '../lib/loop-step.ts'
import type { AutomationStore, InvocationStore } from '../store/index.ts'
import type { Actions } from './actions.ts'
import type { Automations } from './automations.ts'
import { managed, type Managed } from './managed.ts'
import { readTimes, timesOf, type Times } from './next-tick.ts'
import { isPassing } from './skipping.ts'

export type Schedule = Automation<'schedule'>

/** Workflows and messages that the clock starts, as their creator. */
export interface Schedules extends Managed<'schedule', ScheduleInput> {
  /** Starts what is due; one process at a time. */
  tick(): Promise<void>
  /** Starts nothing more; resolves when nothing is being started. */
  stop(): Promise<void>
}

/** Either `workflowId` with `input`, or `sessionId` with `content`. */
export interface ScheduleInput {
  readonly cron: string
  /** IANA name; default UTC */
  readonly timeZone?: string
  readonly workflowId?: string
  readonly input?: JsonObject
  readonly sessionId?: string
  readonly content?: string
}

interface ScheduleOptions {
  readonly clock: Clock
  readonly actions: Actions
  /** Whether the round of an earlier message still runs or waits. */
  isOpen(schedule: Schedule, messageId: string): Promise<boolean>
}

type Store = Pick<AutomationStore, 'automation' | 'activeAutomations' | 'dueAutomations' | 'changeAutomation'> &
  Pick<InvocationStore, 'invocationByKey'>

const FIELDS = ['cron', 'timeZone', 'workflowId', 'input', 'sessionId', 'content'] as const
const DUE_AT_A_TIME = 500
/** Whose are begun at once, and how long those are waited for that take long. */
const TENANTS_AT_ONCE = 16
const PATIENCE_MS = 500
/** What was missed longer ago is not made up for. */
const LATE_MS = 60 * 60 * 1000
/** Missed times that are counted one by one. */
const MOST_MISSED = 1000
/** A clock that is set back by less makes nothing late. */
const SET_BACK_MS = 60_000

export function createSchedules(
  store: Store,
  automations: Automations,
  { clock, actions, isOpen }: ScheduleOptions,
): Schedules {
  const { create, change, ...others } = managed<'schedule', ScheduleInput>(automations, 'schedule', FIELDS)
  /** Checking an input takes as long as somebody's schema takes to check. */
  const firing = createLanes({ atOnce: TENANTS_AT_ONCE, patienceMs: PATIENCE_MS })
  /** Nobody has been told of these; those that took long are told with the next tick. */
  const faults: unknown[] = []
  /** After a start, the clock may have been ahead before it. */
  let lastTick = Infinity

  async function read(actor: Actor, given: ScheduleInput): Promise<{ body: ScheduleBody; times: Times }> {
    const { cron, timeZone = 'UTC', ...what } = given
    const times = await readTimes(cron, timeZone, clock.now())
    return { body: { cron, timeZone, action: await actions.check(actor, actionOf(what), true) }, times }
  }

  /** What it started before this time still runs; a process may have died before it stored that it had started it. */
  async function isRunning(schedule: Schedule, latest: number): Promise<boolean> {
    const before = new Set([schedule.body.firedAt, schedule.dueAt])
    before.delete(latest)
    for (const at of before) if (at !== undefined && (await isRunningSince(schedule, at))) return true
    return false
  }

  async function isRunningSince(schedule: Schedule, at: number): Promise<boolean> {
    const key = keyAt(schedule, at)
    if (schedule.body.action.does === 'message') return isOpen(schedule, key)
    const run = await store.invocationByKey(schedule.tenant, key)
    return run !== undefined && !hasEnded(run)
  }

  /** Starts what is due; if the process dies before the next time is stored, the same key starts it again. */
  async function fire(schedule: Schedule): Promise<void> {
    const { tenant, id, body, dueAt = 0 } = schedule
    // Somebody may have changed it or switched it off since it was found.
    const found = await store.automation(tenant, id)
    if (found?.revision !== schedule.revision || found.dueAt !== schedule.dueAt) return
    const now = clock.now()
    const times = await timesOf(body.cron, body.timeZone)
    const { latest, others } = missed(times, dueAt, now)
    const isLate = latest <= now - LATE_MS
    const isSkipped = isLate || (await isRunning(schedule, latest))
    if (!isSkipped) await begin(schedule, latest)
    const skipped = others + (isSkipped ? 1 : 0)
    if (skipped > 0) await actions.skip(schedule, { skipped })
    const { dueAt: _, ...rest } = schedule
    const next = times.next(now)
    await moveTo(schedule, {
      ...rest,
      body: isSkipped ? body : { ...body, firedAt: latest },
      ...(next !== undefined && { dueAt: next }),
    })
  }

  /** Its revision stays: to people who look at it nothing has changed. */
  const moveTo = (was: Schedule, moved: Schedule): Promise<unknown> => store.changeAutomation(moved, { was })

  /** What a clock that was ahead made due too late is due as it should be; a key that was used starts nothing again. */
  async function mendTimes(now: number): Promise<void> {
    for (const schedule of (await store.activeAutomations(['schedule'])) as readonly Schedule[]) {
      await loopStep()
      const { body, dueAt = 0 } = schedule
      try {
        const next = (await timesOf(body.cron, body.timeZone)).next(now)
        if (next !== undefined && next < dueAt) await moveTo(schedule, { ...schedule, dueAt: next })
      } catch (error) {
        faults.push(error)
      }
    }
  }

  /** Rejects if it has to be tried again; what else stands in its way is on record. */
  async function begin(schedule: Schedule, at: number): Promise<void> {
    try {
      await actions.perform(schedule, { key: keyAt(schedule, at), depth: 0 })
    } catch (error) {
      if (isPassing(error)) throw error
    }
  }

  return {
    ...others,
    create: (actor, wanted, once) =>
      create(actor, wanted, once, async () => {
        const { body, times } = await read(actor, wanted)
        const dueAt = times.next(clock.now())
        return { body, ...(dueAt !== undefined && { dueAt }) }
      }),
    change: (actor, id, changes) =>
      change(actor, id, changes, async ({ body: before }, fields) => {
        const { body, times } = fields
          ? await read(actor, changedInput(before, fields))
          : { body: before, times: await timesOf(before.cron, before.timeZone) }
        const { firedAt } = before
        // What was due while it was switched off stays undone.
        const dueAt = times.next(clock.now()) ?? null
        return { body: { ...body, ...(firedAt !== undefined && { firedAt }) }, dueAt }
      }),
    async tick() {
      const now = clock.now()
      if (now < lastTick - SET_BACK_MS) await mendTimes(now)
      lastTick = now
      await firing.run(
        async () => (await store.dueAutomations(now, DUE_AT_A_TIME)) as readonly Schedule[],
        (schedule) => fire(schedule).catch((error: unknown) => faults.push(error)),
      )
      if (faults.length > 0) throw faults.splice(0)[0]
    },
    stop: firing.stop,
  }
}

const keyAt = ({ id }: Schedule, at: number): string => keyOf('schedule', id, String(at))

/** The latest time that is due, and how many came before it that nothing was done at. */
function missed(times: Times, first: number, now: number): { readonly latest: number; readonly others: number } {
  let latest = first
  let others = 0
  const isDue = (next: number | undefined): next is number => next !== undefined && next <= now
  let next = times.next(first)
  for (; isDue(next) && others < MOST_MISSED; next = times.next(latest), others++) latest = next
  // Where even more were missed, only the last hour is of interest.
  if (isDue(next)) for (next = times.next(now - LATE_MS); isDue(next); next = times.next(next)) latest = next
  return { latest, others }
}

type WhatInput = Pick<ScheduleInput, 'workflowId' | 'input' | 'sessionId' | 'content'>

function actionOf({ workflowId, input, sessionId, content }: WhatInput): Action {
  if ((workflowId === undefined) === (sessionId === undefined))
    throw invalidField('workflowId', 'with input, or sessionId with content: a schedule does one of the two')
  if (workflowId !== undefined) {
    if (content !== undefined) throw invalidField('content', 'goes with sessionId')
    return { does: 'workflow', workflowId, ...(input !== undefined && { input }) }
  }
  if (input !== undefined) throw invalidField('input', 'goes with workflowId')
  return { does: 'message', sessionId: sessionId ?? '', content: content ?? '' }
}

/** What is not named stays, unless it belongs to what it did before. */
function changedInput({ cron, timeZone, action }: ScheduleBody, changes: Partial<ScheduleInput>): ScheduleInput {
  const { does, ...before } = action
  const isOther = does === 'workflow' ? changes.sessionId !== undefined : changes.workflowId !== undefined
  return { cron, timeZone, ...(!isOther && before), ...changes }
}
