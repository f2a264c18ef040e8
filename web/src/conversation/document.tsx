import { useCallback, useEffect, useLayoutEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import type { Item, SessionLog } from '../log/session-log.ts'
import { Icon } from '../parts/icon.tsx'
import { isTyping } from '../parts/is-typing.ts'
import { useSession } from '../state/session.ts'
import { EventLine } from './event-line.tsx'
import { Round } from './round.tsx'
import { neverBegan } from './round-words.ts'
import { useJump, type JumpTarget } from './use-jump.ts'
import { useDrawnRange } from './use-drawn-range.ts'
import { useStickToEnd } from './use-stick-to-end.ts'

/** Somebody wants to be at the end, perhaps to change the last thing they said. A new object is a new request. */
export interface EndRequest {
  readonly edit: boolean
}

interface DocumentProps {
  readonly log: SessionLog
  readonly jumpTo: JumpTarget
  readonly end: EndRequest | undefined
  /** what follows the last round */
  readonly children: ReactNode
}

/** The messages of a conversation. New text does not move what the reader looks at. */
export function Document({ log, jumpTo, end, children }: DocumentProps) {
  const follower = useSession()
  const box = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const isCut = useRef(false)
  const { shown, hasMore, hasLater, look, reach, showEnd } = useDrawnRange(follower, log.items, log.first, box)
  isCut.current = hasLater
  const { isAtEnd, toEnd, leave, letGrow } = useStickToEnd(box, content, isCut)
  const [hasNews, setNews] = useState(false)
  useJump(jumpTo, follower, log, box, reach, leave)

  // Draw the end first, then scroll: before that the lower edge is not the end.
  const [drawn, setDrawn] = useState<EndRequest>()
  const goToEnd = useCallback(
    (request: EndRequest): void => {
      showEnd()
      setDrawn(request)
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
            <button type="button" className="fold conv-earlier" onClick={look}>
              Earlier messages…
            </button>
          )}
          {shown.map((item) => (
            <Box key={item.key} item={item}>
              {item.kind === 'event' ? (
                <EventLine event={item.event} />
              ) : (
                <Round round={item.round} deleted={log.deleted} isLast={item.key === lastRound} />
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
 * Rounds that were already over when they were first drawn are only laid out when visible. Others stay as they are:
 * the switch would make the browser take them for empty for a moment.
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
