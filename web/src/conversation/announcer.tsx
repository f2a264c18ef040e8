import { useEffect, useRef, useState } from 'react'
import type { RoundPicture } from '../log/round-picture.ts'
import { visibleText } from '../text/visible.ts'
import { heardOf } from './round-words.ts'

/** Tells a screen reader what changed, in a few words: never the text as it comes. */
export function Announcer({ round }: { round: RoundPicture | undefined }) {
  const [words, setWords] = useState('')
  const before = useRef<string>(undefined)
  const state = round && `${round.requestId} ${round.state} ${asks(round)}`
  useEffect(() => {
    const isFirst = before.current === undefined
    before.current = state ?? ''
    if (!isFirst && round) setWords(heardOf(round))
    // oxlint-disable-next-line react/exhaustive-deps -- only a new state is news
  }, [state])
  return (
    <p className="sr-only" aria-live="polite">
      {visibleText(words)}
    </p>
  )
}

const asks = ({ steps }: RoundPicture): string =>
  steps.flatMap((step) => (step.kind === 'call' && step.approval?.status === 'pending' ? [step.callId] : [])).join(' ')
