import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Bare pages that show a text, and one that shows a stream as it comes: the least that could be done. */
export interface FloorServer {
  readonly url: string
  /** the words of a page at this path, one paragraph each */
  show(path: string, paragraphs: readonly string[]): void
  /** what `/stream.html` shows: a piece every so many milliseconds */
  play(pieces: readonly string[], everyMs: number): void
  close(): void
}

const HEAD =
  '<!doctype html><html lang="en"><meta charset="utf-8"><title>Floor</title>' +
  '<style>body { font: 15px/1.5 system-ui, sans-serif }</style><body>'

/** The same as Segno sends: it makes a browser start another process for the page, which takes its time. */
const ISOLATED = { 'cross-origin-opener-policy': 'same-origin' }

/** Reads the same frames as the page of Segno and adds their text to the document in the next frame. */
const STREAM_PAGE = `${HEAD}<pre id="text"></pre><script type="module">
const node = document.getElementById('text').appendChild(new Text())
const reader = (await fetch('/stream')).body.pipeThrough(new TextDecoderStream()).getReader()
let rest = '', due = ''
for (;;) {
  const { done, value } = await reader.read()
  if (done) break
  const frames = (rest + value).split('\\n\\n')
  rest = frames.pop()
  for (const frame of frames) {
    if (due === '') requestAnimationFrame(() => { node.appendData(due); due = '' })
    due += JSON.parse(frame.slice(6)).text
  }
}
</script>`

export async function startFloorServer(): Promise<FloorServer> {
  const pages = new Map([['/stream.html', STREAM_PAGE]])
  let stream: { pieces: readonly string[]; everyMs: number } = { pieces: [], everyMs: 0 }

  const server = createServer((request, response) => {
    if (request.url === '/stream') return play(response, stream)
    const page = pages.get(request.url ?? '')
    response
      .writeHead(page === undefined ? 404 : 200, { ...ISOLATED, 'content-type': 'text/html; charset=utf-8' })
      .end(page)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    show: (path, paragraphs) =>
      void pages.set(path, `${HEAD}${paragraphs.map((text) => `<p>${escaped(text)}</p>`).join('\n')}`),
    play: (pieces, everyMs) => void (stream = { pieces, everyMs }),
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('\n', '<br>')

function play(response: ServerResponse, { pieces, everyMs }: { pieces: readonly string[]; everyMs: number }): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const start = performance.now()
  let sent = 0
  const timer = setInterval(() => {
    const due = Math.min(pieces.length, Math.floor((performance.now() - start) / everyMs))
    for (; sent < due; sent++) response.write(`data: ${JSON.stringify({ kind: 'text', text: pieces[sent] })}\n\n`)
    if (sent === pieces.length) response.end()
  }, everyMs)
  response.on('close', () => clearInterval(timer))
}
