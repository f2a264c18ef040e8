import type { WireEvent } from '../wire-events.ts'

interface Delta {
  readonly requestId: string
  readonly turn: number
  readonly kind: 'text' | 'reasoning' | 'args' | 'output'
  readonly name?: string
  readonly offset: number
  readonly text: string
}

export type ChatFrame =
  | { readonly kind: 'event'; readonly event: WireEvent }
  | { readonly kind: 'delta'; readonly delta: Delta }
  | { readonly kind: 'reset'; readonly turn: number }

/** The frames of a native stream, until it ends or is aborted. `alive` is called for whatever comes. */
export async function* readFrames(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal,
  alive: () => void = () => {},
): AsyncGenerator<ChatFrame, void> {
  const reader = body.getReader()
  const leave = (): void => void reader.cancel().catch(() => {})
  signal.addEventListener('abort', leave, { once: true })
  if (signal.aborted) leave()
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done || signal.aborted) return
      alive()
      const blocks = (rest + decoder.decode(value, { stream: true })).split('\n\n')
      rest = blocks.pop() ?? ''
      for (const block of blocks) {
        const frame = readBlock(block)
        if (frame) yield frame
      }
    }
  } finally {
    signal.removeEventListener('abort', leave)
    leave()
  }
}

function readBlock(block: string): ChatFrame | undefined {
  const field = (name: string): string | undefined =>
    block
      .split('\n')
      .find((line) => line.startsWith(`${name}: `))
      ?.slice(name.length + 2)
  const event = field('event')
  const data = field('data')
  if (event === undefined || data === undefined) return undefined
  if (event === 'delta') return { kind: 'delta', delta: JSON.parse(data) as Delta }
  if (event === 'reset') return { kind: 'reset', turn: (JSON.parse(data) as { turn: number }).turn }
  if (field('id') === undefined) return undefined
  return { kind: 'event', event: JSON.parse(data) as WireEvent }
}
