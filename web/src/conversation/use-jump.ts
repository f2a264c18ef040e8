import { useLayoutEffect, useRef, type RefObject } from 'react'
import type { SessionLog } from '../log/session-log.ts'
import type { Follower } from '../state/follow-session.ts'

const MARKED_MS = 2000

/** Where to go; a new object goes there again, even if it is the same place. */
export type JumpTarget = { readonly page: string; readonly seq?: number; readonly eventId?: string }

/** Goes to an event: loads back to it, draws it, scrolls to it, and marks it for a moment. */
export function useJump(
  jumpTo: JumpTarget,
  follower: Follower,
  log: SessionLog,
  box: RefObject<HTMLElement | null>,
  reach: (place: number) => void,
  leave: () => void,
): void {
  const done = useRef<JumpTarget>(undefined)
  // Before paint, and before more is drawn around it.
  useLayoutEffect(() => {
    const { eventId } = jumpTo
    if (done.current === jumpTo || log.last === 0) return
    const seq = jumpTo.seq ?? (eventId === undefined ? undefined : (seqOf(eventId, log) ?? 0))
    if (seq === undefined) return
    if (seq < log.first && log.first > 1) {
      // Of an event that is known by its id nobody can say how far back it is.
      void follower.loadEarlier(jumpTo.seq).catch(() => {})
      return
    }
    const place = placeOf(seq, log)
    const item = log.items[place]
    if (!item) {
      // There is no such event: stay at the end.
      done.current = jumpTo
      forgetTarget()
      return
    }
    leave()
    const element = box.current?.querySelector<HTMLElement>(`[data-key="${CSS.escape(item.key)}"]`)
    if (!element) return reach(place)
    done.current = jumpTo
    const target = nearest(element, seq)
    forgetTarget()
    target.scrollIntoView({ block: 'start' })
    target.classList.add('conv-marked')
    setTimeout(() => target.classList.remove('conv-marked'), MARKED_MS)
  })
}

const seqOf = (eventId: string, { events }: SessionLog): number | undefined =>
  events.find(({ id }) => id === eventId)?.seq

/** Removes the event from the address, so that the same link works again and a reload does not jump. */
const forgetTarget = (): void => history.replaceState(null, '', location.hash.replace(/^(#\/s\/[^/]+)\/.*$/, '$1'))

/** The item that shows an event, found by its round: a later event about a call belongs to the call's round. */
function placeOf(seq: number, log: SessionLog): number {
  const event = log.events.find((one) => one.seq === seq)
  return log.items.findIndex((item) => {
    if (item.kind === 'event') return item.event.seq === seq
    return event?.type === 'tool.reconciled'
      ? item.round.steps.some((step) => step.kind === 'call' && step.callId === event.data.callId)
      : event !== undefined && item.round.requestId === event.requestId
  })
}

/** The last element in it that stands for this event or one before it. */
function nearest(item: HTMLElement, seq: number): HTMLElement {
  const all = [...item.querySelectorAll<HTMLElement>('[data-seq]')].filter((one) => Number(one.dataset['seq']) <= seq)
  all.sort((a, b) => Number(a.dataset['seq']) - Number(b.dataset['seq']))
  return all.at(-1) ?? item
}
