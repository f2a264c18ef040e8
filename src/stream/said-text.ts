import type { StoredEvent } from '../contract/event.ts'
import type { Delta, Pulse } from '../contract/pulse.ts'
import { STEP } from '../lib/loop-step.ts'
import type { Frame } from './frame.ts'
import { supersedes } from './supersedes.ts'

type Said = { -readonly [K in keyof Delta]: Delta[K] }

/** How much output of a running call is kept. */
const OUTPUT_CHARS = 100_000

/** The text of a session's running turn, by kind and call, for late followers. */
export function saidText() {
  const said = new Map<string, Said>()
  /** the last delta, which followers may be showing, unless an event replaced it */
  let shown: Delta | undefined

  /** Text from before this turn or attempt, whose end may have been missed. */
  function forgetOlder({ requestId, turn, after }: Delta): void {
    if (shown && (shown.requestId !== requestId || shown.turn !== turn || shown.after !== after))
      for (const [key, one] of said) if (one.kind !== 'output') said.delete(key)
  }

  function forget(): void {
    said.clear()
    shown = undefined
  }

  /** With a slow store, output can arrive before the events that precede it. */
  function forgetBefore(seq: number): void {
    for (const [key, { after = 0 }] of said) if (after < seq) said.delete(key)
    if ((shown?.after ?? 0) < seq) shown = undefined
  }

  return {
    get isEmpty() {
      return said.size === 0
    },
    add(pulse: Pulse): void {
      if (pulse.type === 'reset') return forget()
      const key = pulse.kind === 'output' ? outputKey(pulse.callId) : (pulse.callId ?? pulse.kind)
      if (pulse.kind !== 'output') {
        forgetOlder(pulse)
        shown = pulse
      }
      const before = said.get(key)
      if (before) before.text += pulse.text
      else said.set(key, { ...pulse })
      if (pulse.kind === 'output') keepEnd(said.get(key) as Said)
    },
    forget,
    /** Late followers get nothing, because text may be missing. */
    drop: (): void => said.clear(),
    /** Forgets the text that a stored event contains or replaces. */
    see(event: StoredEvent): void {
      if (supersedes(event)) forgetBefore(event.seq)
      else if (event.type === 'tool.result') said.delete(outputKey(event.data.callId))
    },
    frames(outputs: boolean): Frame[] {
      return [...said.values()].filter((one) => outputs || one.kind !== 'output').flatMap(inPieces)
    },
    /** Forgets everything; returns the reset for followers who may be showing it. */
    takeBack(reason: string): Pulse | undefined {
      const told = shown
      forget()
      if (!told) return undefined
      const { sessionId, requestId, turn, after } = told
      return { type: 'reset', sessionId, requestId, turn, reason, ...(after !== undefined && { after }) }
    },
  }
}

const outputKey = (callId: string | undefined): string => `output ${callId}`

function inPieces(said: Said): Frame[] {
  const pieces: Frame[] = []
  for (let at = 0; at === 0 || at < said.text.length; at += STEP.chars) {
    const text = said.text.slice(at, at + STEP.chars)
    pieces.push({ kind: 'pulse', pulse: { ...said, offset: said.offset + at, text } })
  }
  return pieces
}

/** Late followers of a long output see its end. */
function keepEnd(output: Said): void {
  const over = output.text.length - OUTPUT_CHARS
  if (over < OUTPUT_CHARS) return
  output.text = output.text.slice(over)
  output.offset += over
}
