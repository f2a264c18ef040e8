import { memo, useRef, useState, useSyncExternalStore } from 'react'
import type { LiveTurn } from '../log/live-turns.ts'
import { useSession } from '../state/session.ts'
import type { Block } from '../text/markdown-tree.ts'
import { Markdown, StreamingMarkdown } from '../text/markdown.tsx'
import { createMarkdownStream } from '../text/parse-markdown.ts'

const NEVER = (): (() => void) => () => {}

/** What a running turn has said so far. Asked again once per frame while it grows. */
export function useLiveTurn(requestId: string, turn: number, isRunning: boolean): LiveTurn | undefined {
  const { live } = useSession()
  const now = (): LiveTurn | undefined => (isRunning ? live.turn(requestId, turn) : undefined)
  useSyncExternalStore(isRunning ? live.subscribe : NEVER, () => now()?.version ?? -1)
  return now()
}

/**
 * The text of a turn while it comes and when it is stored. One that was seen coming stays in the same elements: what
 * is stored only adds what was missing.
 */
export const TurnText = memo(function TurnText({ live, version, text }: TurnTextProps) {
  const [wasLive] = useState(text === undefined)
  const grown = useGrown()
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

function useGrown() {
  const kept = useRef<ReturnType<typeof createGrown>>(null)
  return (kept.current ??= createGrown())
}

/** Blocks of a text that grows. Taking the same again changes nothing. */
function createGrown() {
  let stream = createMarkdownStream()
  let blocks: Block[] = []
  let taken = ''
  let from: LiveTurn | undefined
  let generation = 0

  function begin(): void {
    stream = createMarkdownStream()
    blocks = []
    taken = ''
  }
  function add(text: string): void {
    if (text === '') return
    blocks = stream.append(text)
    taken += text
  }

  return {
    take(live: LiveTurn | undefined): Block[] {
      // Between two connections there may be nothing for a moment: what was read stays.
      if (!live) return blocks
      const isSame = live === from && live.generation === generation
      if (!isSame && !live.text.startsWith(taken)) begin()
      from = live
      generation = live.generation
      add(live.text.slice(taken.length))
      return blocks
    },
    end(text: string): Block[] {
      if (text === taken) return blocks
      if (!text.startsWith(taken)) begin()
      add(text.slice(taken.length))
      return blocks
    },
  }
}
