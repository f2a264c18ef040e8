export interface SseFrame {
  readonly id: string | undefined
  readonly event: string
  readonly data: string
}

/** The frames of an event stream, as they arrive in whatever pieces. A comment is given as an event `ping` without data. */
export async function* readSse(body: ReadableStream<Uint8Array>): AsyncGenerator<SseFrame[]> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      rest += value
      const end = rest.lastIndexOf('\n\n')
      if (end < 0) continue
      const whole = rest.slice(0, end)
      rest = rest.slice(end + 2)
      yield whole.split('\n\n').map(readFrame)
    }
  } finally {
    reader.cancel().catch(() => {})
  }
}

function readFrame(block: string): SseFrame {
  let id: string | undefined
  let event = 'message'
  let data = ''
  for (const line of block.split('\n')) {
    if (line.startsWith('data: ')) data += (data === '' ? '' : '\n') + line.slice(6)
    else if (line.startsWith('event: ')) event = line.slice(7)
    else if (line.startsWith('id: ')) id = line.slice(4)
    else if (line.startsWith(':')) event = 'ping'
  }
  return { id, event, data }
}
