import { useLayoutEffect, useRef, type RefObject } from 'react'
import type { SessionLog } from '../log/session-log.ts'
import type { Follower } from '../state/follow-session.ts'

const MARKED_MS = 2000

/** Where somebody wants to go; a new object is a new wish, also to the same place. */
export type Wish = { readonly page: string; readonly seq?: number }

/** Goes to an event: loads back to it, draws it, scrolls to it, and marks it for a moment. */
export function useJump(
  wish: Wish,
  follower: Follower,
  log: SessionLog,
  box: RefObject<HTMLElement | null>,
  reach: (place: number) => void,
  leave: () => void,
): void {
  const done = useRef<Wish>(undefined)
  // Before paint, and before anybody looks what else is to be drawn around it.
  useLayoutEffect(() => {
    const { seq } = wish
    if (done.current === wish || seq === undefined || log.last === 0) return
    if (seq < log.first) {
      void follower.loadEarlier(seq).catch(() => {})
      return
    }
    const place = placeOf(seq, log)
    const item = log.items[place]
    if (!item) {
      // There is no such event: the end is as good as any other place.
      done.current = wish
      forgetWish()
      return
    }
    leave()
    const element = box.current?.querySelector<HTMLElement>(`[data-key="${CSS.escape(item.key)}"]`)
    if (!element) return reach(place)
    done.current = wish
    const target = nearest(element, seq)
    forgetWish()
    target.scrollIntoView({ block: 'start' })
    target.classList.add('conv-marked')
    setTimeout(() => target.classList.remove('conv-marked'), MARKED_MS)
  })
}

/** It is done: the same link may be followed again, and loading the page again stays where the reader is. */
const forgetWish = (): void => history.replaceState(null, '', location.hash.replace(/^(#\/s\/[^/]+)\/.*$/, '$1'))

/** Where an event stands. By its round and not by its number: what is said later about a call belongs to its round. */
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
