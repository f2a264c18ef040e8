export interface SseFrame {
  readonly id?: string
  readonly event: string
  readonly data: SseData
}

/** Of all that frames of any dialect say, what tests look at. */
export interface SseData {
  readonly seq?: number
  readonly type?: string
  readonly sessionId?: string
  readonly requestId?: string | null
  readonly turn?: number | null
  readonly index?: number
  readonly kind?: string
  readonly offset?: number
  readonly text?: string
  readonly content?: string
  readonly reason?: string
  readonly data?: SaidData
  readonly [more: string]: unknown
}

interface SaidData {
  readonly turn?: number
  readonly offset?: number
  readonly content?: string | readonly { readonly type: string; readonly text?: string }[]
  readonly shown?: boolean
  readonly [more: string]: unknown
}

/** The frames of a body, one by one. Comments are skipped, and what was cut off in the middle is no frame. */
export async function* splitFrames(body: ReadableStream<Uint8Array>): AsyncGenerator<SseFrame, void> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const bytes of body) {
    const blocks = (rest + decoder.decode(bytes, { stream: true })).split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) if (!block.startsWith(':')) yield parseFrame(block)
  }
}

function parseFrame(block: string): SseFrame {
  const fields = new Map(
    block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
  )
  const id = fields.get('id')
  return {
    ...(id !== undefined && { id }),
    event: fields.get('event') ?? '',
    data: JSON.parse(fields.get('data') ?? '{}') as SseData,
  }
}
