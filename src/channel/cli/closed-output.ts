/**
 * Who reads our output may have enough and leave, as in `segno audit export | head -1`. That is no mistake, and a server
 * goes on without them. The answer tells whether it has happened.
 */
export function noticeClosedOutput(): () => boolean {
  let closed = false
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
    closed = true
  })
  return () => closed
}
