import { expect } from 'vitest'
import type { StoredEvent } from '../../../../src/contract/event.ts'
import type { DialectName } from '../../../../src/stream/index.ts'
import { textOf } from '../../library/support/frames.ts'
import type { Seen } from './reader.ts'

/** What an unbroken stream showed, and what the log of the round says. */
export interface Truth {
  readonly unbroken: readonly Seen[]
  readonly events: readonly StoredEvent[]
}

/** Fails if a client has not seen exactly what there was to see. */
export function expectSame(dialect: DialectName, seen: readonly Seen[], truth: Truth): void {
  if (dialect === 'native' || dialect === 'phased') expectLog(seen, truth.events, dialect === 'phased')
  else if (dialect === 'chat') expectChat(seen, truth)
  else expectTurns(seen, truth)
}

/** Every event once and in order, and text in deltas that fit together; with `all` none of it is missing. */
function expectLog(seen: readonly Seen[], events: readonly StoredEvent[], all: boolean): void {
  expect(seen.flatMap(({ data }) => data.seq ?? [])).toEqual(events.map(({ seq }) => seq))
  const messages = new Map(events.map((event) => [event.seq, textOf(event)]))
  let shown = ''
  for (const { event, data } of seen) {
    if (event === 'delta' && data.kind === 'text') {
      // Without ids of their own the deltas of a turn begin anew on every connection.
      if (!all && data.offset === 0) shown = ''
      expect(data.offset, `delta of turn ${data.turn}`).toBe(shown.length)
      shown += data.text
    }
    if (event === 'message.assistant') {
      if (all || shown !== '') expect(shown).toBe(messages.get(data.seq ?? 0))
      shown = ''
    }
    if (event === 'reset' || event === 'round.resumed' || (event === 'turn.retried' && data.data?.shown)) shown = ''
  }
}

function expectChat(seen: readonly Seen[], { unbroken, events }: Truth): void {
  const text = events.map(textOf).join('')
  expect(joined(seen)).toEqual(joined(unbroken))
  let shown = ''
  for (const { event, data } of seen) {
    const { content = '' } = data.data ?? {}
    if (event === 'message.start') shown = content
    if (event === 'message.delta') shown += content
    if (event === 'message.complete') expect(content).toBe(text)
  }
  expect(shown).toBe(text)
}

/** Deltas that follow each other are one; those a new start takes back are none. */
function joined(seen: readonly Seen[]): object[] {
  const plain: { event: string; turn?: number; offset?: number; content?: string }[] = []
  for (const { event, data } of seen) {
    const said = { ...data.data }
    const last = plain.at(-1)
    if (event === 'message.start' && last?.event === 'message.delta') plain.pop()
    if (event === 'message.delta' && last?.event === event && last.turn === said.turn) {
      expect(said.offset).toBe((last.offset ?? 0) + (last.content ?? '').length)
      last.content = `${last.content}${said.content}`
    } else plain.push({ event, ...said })
  }
  return plain
}

function expectTurns(seen: readonly Seen[], { unbroken, events }: Truth): void {
  const others = (some: readonly Seen[]) => some.filter(({ event }) => event !== 'turn').map(withoutId)
  expect(others(seen)).toEqual(others(unbroken))
  expect(pictures(seen)).toEqual(pictures(unbroken))
  const completed = seen.filter(({ event }) => event === 'turn-completed')
  expect(completed.map(({ data }) => data.content)).toEqual(
    events.filter(({ type }) => type === 'message.assistant').map(textOf),
  )
}

const withoutId = ({ event, data }: Seen) => ({ event, data })

/** How each turn looked last. */
function pictures(seen: readonly Seen[]): Map<number, object> {
  const turns = new Map<number, object>()
  for (const { event, data } of seen) {
    if (event !== 'turn' && event !== 'turn-completed') continue
    const { usage: _, ...turn } = data
    turns.set(data.index ?? 0, turn)
  }
  return turns
}
