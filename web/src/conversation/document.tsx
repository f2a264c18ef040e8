import { useCallback, useEffect, useLayoutEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import type { Item, SessionLog } from '../log/session-log.ts'
import { Icon } from '../parts/icon.tsx'
import type { Follower } from '../state/follow-session.ts'
import { EventLine } from './event-line.tsx'
import { Round } from './round.tsx'
import { neverBegan } from './round-words.ts'
import { useJump, type Wish } from './use-jump.ts'
import { usePart } from './use-part.ts'
import { useStick } from './use-stick.ts'

/** Somebody wants to be at the end, perhaps to change the last thing they said. A new object is a new wish. */
export interface EndWish {
  readonly edit: boolean
}

/** The conversation as a text to read: it grows at its end, and stays where the reader is. */
export function Document({
  sessionId,
  follower,
  log,
  wish,
  end,
  children,
}: {
  sessionId: string
  follower: Follower
  log: SessionLog
  wish: Wish
  end: EndWish | undefined
  /** what follows the last round */
  children: ReactNode
}) {
  const box = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const isCut = useRef(false)
  const { shown, hasMore, hasLater, look, reach, showEnd } = usePart(follower, log.items, log.first, box)
  isCut.current = hasLater
  const { isAtEnd, toEnd, leave, letGrow } = useStick(box, content, isCut)
  const [hasNews, setNews] = useState(false)
  useJump(wish, follower, log, box, reach, leave)

  // The end is drawn first: before that, what is below the reader is not the end.
  const [drawn, setDrawn] = useState<EndWish>()
  const goToEnd = useCallback(
    (wish: EndWish): void => {
      showEnd()
      setDrawn(wish)
    },
    [showEnd],
  )
  useEffect(() => {
    if (end) goToEnd(end)
  }, [end, goToEnd])
  useLayoutEffect(() => {
    if (!drawn) return
    toEnd()
    if (drawn.edit && editLast(content.current)) leave()
  }, [drawn, leave, toEnd])

  useEffect(() => {
    if (isAtEnd) return setNews(false)
    const { last } = follower.state.get().log
    const look = (): void => setNews(true)
    const stopLive = follower.live.subscribe(look)
    const stopLog = follower.state.subscribe(() => {
      if (follower.state.get().log.last > last) look()
    })
    return () => {
      stopLive()
      stopLog()
    }
  }, [follower, isAtEnd])

  const lastRound = log.items.findLast((item) => item.kind === 'round' && !neverBegan(item.round))?.key
  return (
    <div className="conv-stage">
      <div
        ref={box}
        className="conv-scroll"
        role="log"
        aria-live="off"
        aria-label="Messages"
        tabIndex={0}
        onKeyDown={moveByKeys}
        onClickCapture={letGrow}
      >
        <div ref={content} className="conv-column">
          {hasMore && (
            <button type="button" className="conv-fold conv-earlier" onClick={look}>
              Earlier messages…
            </button>
          )}
          {shown.map((item) => (
            <Box key={item.key} item={item}>
              {item.kind === 'event' ? (
                <EventLine event={item.event} />
              ) : (
                <Round sessionId={sessionId} round={item.round} deleted={log.deleted} isLast={item.key === lastRound} />
              )}
            </Box>
          ))}
          {!hasLater && children}
        </div>
      </div>
      {!isAtEnd && (
        <button type="button" className="conv-pill" onClick={() => goToEnd({ edit: false })}>
          <Icon name="down" size={14} />
          {hasNews ? 'New text below' : 'To the end'}
        </button>
      )}
    </div>
  )
}

/**
 * What has ended need not be laid out while nobody sees it. What was seen coming stays as it is: for a moment a browser
 * takes an element that becomes like this for an empty one.
 */
function Box({ item, children }: { item: Item; children: ReactNode }) {
  const [isOld] = useState(item.kind === 'round' && item.round.state === 'ended')
  return (
    <div data-key={item.key} className={isOld ? 'conv-item conv-done' : 'conv-item'}>
      {children}
    </div>
  )
}

/** Opens the last message that can be edited. False: there is none. */
function editLast(within: HTMLElement | null): boolean {
  const button = [...(within?.querySelectorAll<HTMLElement>('.conv-edit') ?? [])].at(-1)
  const message = button?.closest('article')
  button?.click()
  message?.scrollIntoView({ block: 'nearest' })
  return message !== undefined
}

/** J and K go from message to message. */
function moveByKeys(event: KeyboardEvent<HTMLElement>): void {
  const by = event.key === 'j' ? 1 : event.key === 'k' ? -1 : 0
  if (by === 0 || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
  const all = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-item]')]
  const now = all.findLastIndex((one) => one.contains(document.activeElement))
  const next = now < 0 ? all.at(-1) : all[now + by]
  event.preventDefault()
  next?.focus({ preventScroll: true })
  next?.scrollIntoView({ block: 'nearest' })
}

const isTyping = (target: EventTarget): boolean =>
  target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement
