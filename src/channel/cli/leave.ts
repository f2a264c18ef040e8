/**
 * Ends the process now. `process.exit` waits for threads that are in the middle of something, such as a folder that does
 * not answer; a signal that nobody listens to waits for nothing.
 */
export function leave(signal: 'SIGTERM' | 'SIGINT', code: number): void {
  process.removeAllListeners(signal)
  process.kill(process.pid, signal)
  // Process 1 of a container gets no signal that it does not listen to.
  process.exit(code)
}
