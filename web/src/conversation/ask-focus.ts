import type { Approval } from '../../../src/client/index.ts'
import { useKeydown } from '../parts/use-keydown.ts'
import { usePendingAsks } from '../state/pending-asks.ts'
import { goTo, routeStore } from '../state/route.ts'
import { ASK_KEY } from './round-words.ts'

/** A card that is not drawn yet shall have the keyboard once it is. */
let isWanted = false

export function isAskWanted(): boolean {
  const was = isWanted
  isWanted = false
  return was
}

export function useAskKey(): void {
  const waiting = usePendingAsks().value?.items ?? []
  useKeydown((event) => {
    if (event.key !== ASK_KEY || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
    if (document.querySelector('dialog[open]')) return
    event.preventDefault()
    toFirstAsk(waiting)
  })
}

/** Goes to the first card on the page, or else to where one waits. */
export function toFirstAsk(waiting: readonly Approval[]): void {
  const [card] = cards()
  if (card) {
    // Who came to it with a pointer now comes with the keyboard.
    card.blur()
    card.focus()
    // Of one that is higher than the window the end may be seen already.
    const pane = card.closest('.conv-scroll')
    return pane?.scrollBy(0, card.getBoundingClientRect().top - pane.getBoundingClientRect().top - 8)
  }
  const route = routeStore.get()
  const goal = waiting.find(({ sessionId }) => route.page === 'session' && sessionId === route.id) ?? waiting[0]
  if (!goal) return
  isWanted = true
  goTo({ page: 'session', id: goal.sessionId })
  // Far above in a long conversation its end is not drawn.
  document.querySelector<HTMLElement>('.conv-pill')?.click()
}

/** A card that goes away does not take the keyboard with it: the next one has it, after the last one the composer. */
export function leaveAsk(card: HTMLElement | null): void {
  if (!card?.contains(document.activeElement)) return
  const isBehind = (other: HTMLElement): boolean =>
    (card.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0
  const others = cards().filter((other) => other !== card)
  const inOrder = [...others.filter(isBehind), ...others]
  requestAnimationFrame(() => {
    if (document.activeElement === document.body) toOneOf(inOrder)
  })
}

export const toNextAsk = (): void => toOneOf(cards())

function toOneOf(goals: readonly HTMLElement[]): void {
  const next = goals.find(({ isConnected }) => isConnected)
  const home = document.querySelector<HTMLElement>('.conv-composer textarea') ?? document.getElementById('main')
  ;(next ?? home)?.focus()
}

const cards = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('[data-ask=waits]')]
