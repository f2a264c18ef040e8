import { memo, useRef, useState, useSyncExternalStore } from 'react'
import type { LiveTurn } from '../log/live-turns.ts'
import { useSession } from '../state/session.ts'
import { Markdown, StreamingMarkdown } from '../text/markdown.tsx'
import { createGrowingText } from './growing-text.ts'

const NEVER = (): (() => void) => () => {}

/** What a running turn has said so far. Asked again once per frame while it grows. */
export function useLiveTurn(requestId: string, turn: number, isRunning: boolean): LiveTurn | undefined {
  const { live } = useSession()
  const now = (): LiveTurn | undefined => (isRunning ? live.turn(requestId, turn) : undefined)
  useSyncExternalStore(isRunning ? live.subscribe : NEVER, () => now()?.version ?? -1)
  return now()
}

/**
 * The text of a turn while it streams and when it is stored. A streamed text keeps its elements: the stored one only
 * adds what was missing.
 */
export const TurnText = memo(function TurnText({ live, version, text }: TurnTextProps) {
  const [wasLive] = useState(text === undefined)
  const grown = useGrowingText()
  if (!wasLive) return text === '' ? null : <Markdown text={text ?? ''} />
  void version
  const blocks = text !== undefined ? grown.end(text) : grown.take(live)
  return blocks.length === 0 ? null : <StreamingMarkdown blocks={blocks} />
})

interface TurnTextProps {
  /** what has come so far; the same object while it grows, `version` tells that it did */
  readonly live: LiveTurn | undefined
  readonly version: number
  /** once it is stored */
  readonly text: string | undefined
}

function useGrowingText() {
  const kept = useRef<ReturnType<typeof createGrowingText>>(null)
  return (kept.current ??= createGrowingText())
}
