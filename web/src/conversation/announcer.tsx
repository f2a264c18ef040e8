import { useEffect, useRef, useState } from 'react'
import type { RoundPicture } from '../log/round-picture.ts'
import { visibleText } from '../text/visible.ts'
import { asksIn, announcementOf } from './round-words.ts'

/** Tells a screen reader what changed, in a few words: never the text as it comes. */
export function Announcer({ round }: { round: RoundPicture | undefined }) {
  const [words, setWords] = useState('')
  const before = useRef<string>(undefined)
  const waiting = round
    ? asksIn(round)
        .map(({ callId }) => callId)
        .join(' ')
    : ''
  const state = round && `${round.requestId} ${round.state} ${waiting}`
  useEffect(() => {
    const isFirst = before.current === undefined
    before.current = state ?? ''
    // What was there before is no news, unless it waits for somebody.
    if (round && (!isFirst || waiting !== '')) setWords(announcementOf(round))
    // oxlint-disable-next-line react/exhaustive-deps -- only a new state is news
  }, [state])
  return (
    <p className="sr-only" aria-live="polite">
      {visibleText(words)}
    </p>
  )
}
