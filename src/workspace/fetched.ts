import type { ContextCall } from '../contract/workspace.ts'
import { canonicalJson } from '../lib/canonical-json.ts'
import type { Clock } from '../lib/clock.ts'
import { fairShare } from '../lib/fair-share.ts'
import { keyOf } from '../lib/key-of.ts'
import { LONGEST_TIMER_MS } from '../lib/longest-timer.ts'

export type TextOrError = { readonly text: string } | { readonly error: string }

export interface Place {
  readonly tenant: string
  readonly workspaceId: string
}

export interface FetchedOptions {
  readonly clock: Clock
  /** aborted when Segno closes */
  readonly closed: AbortSignal
  /** Makes the call; never rejects. */
  fetch(place: Place, call: ContextCall, signal: AbortSignal): Promise<TextOrError>
  /** Whether the workspace still has this call. */
  isWanted(place: Place, call: ContextCall): Promise<boolean>
}

/** What is known of a call. */
export interface Entry {
  readonly call: ContextCall
  result?: TextOrError
  fetchedAt?: number
  /** set while it is fetched */
  going?: Promise<void>
  timer?: NodeJS.Timeout
}

interface Used extends Place {
  usedAt: number
  readonly entries: Map<string, Entry>
}

/** As long as nobody talks in a workspace, nothing is fetched for it. */
const IN_USE_MS = 1_800_000
/** A call that failed is made again after this time, however rarely it is made else. */
const RETRY_MS = 60_000
const AT_ONCE = 20
const MOST_PLACES = 1000

/** Results of calls, kept in memory and fetched anew by their intervals while their workspaces are in use. */
export function createFetched({ clock, closed, fetch, isWanted }: FetchedOptions) {
  const places = new Map<string, Used>()
  const slots = fairShare(AT_ONCE)
  closed.addEventListener('abort', () => places.forEach(forget), { once: true })

  /** The calls of a workspace as it has them now. */
  function entriesOf(place: Place, calls: readonly ContextCall[]): readonly Entry[] {
    const key = keyOf(place.tenant, place.workspaceId)
    const before = places.get(key)
    places.delete(key)
    const used: Used = { ...place, usedAt: clock.now(), entries: new Map() }
    for (const call of calls) {
      const id = canonicalJson(call)
      used.entries.set(id, before?.entries.get(id) ?? { call })
      before?.entries.delete(id)
    }
    if (before) forget(before)
    places.set(key, used)
    const [oldest] = places.values()
    if (places.size > MOST_PLACES && oldest) {
      forget(oldest)
      places.delete(keyOf(oldest.tenant, oldest.workspaceId))
    }
    return [...used.entries.values()]
  }

  function known(place: Place, call: ContextCall): Entry | undefined {
    return places.get(keyOf(place.tenant, place.workspaceId))?.entries.get(canonicalJson(call))
  }

  function start(place: Place, entry: Entry): Promise<void> {
    clearTimeout(entry.timer)
    return (entry.going ??= fetchNow(place, entry).finally(() => delete entry.going))
  }

  async function fetchNow(place: Place, entry: Entry): Promise<void> {
    const free = slots.take(place.tenant)
    try {
      entry.result = free ? await fetch(place, entry.call, closed) : { error: 'Too much is being fetched just now.' }
    } finally {
      free?.()
    }
    entry.fetchedAt = clock.now()
    const isCurrent = known(place, entry.call) === entry
    if (closed.aborted || !isCurrent) return
    entry.timer = setTimeout(() => void again(place, entry), Math.min(ageOf(entry), LONGEST_TIMER_MS))
    entry.timer.unref()
  }

  async function again(place: Place, entry: Entry): Promise<void> {
    const used = places.get(keyOf(place.tenant, place.workspaceId))
    const isIdle = !used || clock.now() - used.usedAt > IN_USE_MS
    if (isIdle || !(await isWanted(place, entry.call).catch(() => false))) delete entry.result
    else if (!closed.aborted) await start(place, entry)
  }

  return {
    known,

    /** The calls of a workspace, of which those that are too old are being fetched. */
    look(place: Place, calls: readonly ContextCall[]): readonly Entry[] {
      const entries = entriesOf(place, calls)
      if (!closed.aborted) for (const entry of entries) if (!isFresh(entry, clock.now())) void start(place, entry)
      return entries
    },

    /** Fetches all of them now. */
    async refresh(place: Place, calls: readonly ContextCall[]): Promise<void> {
      await Promise.all(entriesOf(place, calls).map((entry) => start(place, entry)))
    },
  }
}

/** How old a result may get. */
const ageOf = ({ call, result }: Entry): number =>
  result && 'error' in result ? Math.min(call.everyMs, RETRY_MS) : call.everyMs

/** A result from the future is of before the clock was set back. */
export function isFresh(entry: Entry, now: number): boolean {
  const { result, fetchedAt } = entry
  return result !== undefined && fetchedAt !== undefined && now >= fetchedAt && now - fetchedAt < ageOf(entry)
}

function forget({ entries }: Used): void {
  for (const { timer } of entries.values()) clearTimeout(timer)
}
