/**
 * Who reads our output may have enough and leave, as in `segno audit export | head -1`. That is no mistake, and a server
 * goes on without them. A disk that is full is one: it is told once. The answer tells whether anybody still reads.
 */
export function noticeClosedOutput(failed: (why: string) => void): () => boolean {
  let closed = false
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE' && !closed) failed(error.message)
    closed = true
  })
  return () => closed
}
