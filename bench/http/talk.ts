import type { ChildProcess } from 'node:child_process'

interface Asked<Wish> {
  readonly id: number
  readonly wish: Wish
}

interface Answered<Answer> {
  readonly id: number
  readonly answer?: Answer
  readonly error?: string
}

/** Questions to a child process that has called `answering`. */
export function asking<Wish, Answer>(child: ChildProcess): (wish: Wish) => Promise<Answer> {
  const open = new Map<number, PromiseWithResolvers<Answer>>()
  let ids = 0
  child.on('message', ({ id, answer, error }: Answered<Answer>) => {
    const waiting = open.get(id)
    open.delete(id)
    if (error === undefined) waiting?.resolve(answer as Answer)
    else waiting?.reject(new Error(error))
  })
  child.once('exit', (code) => {
    for (const waiting of open.values()) waiting.reject(new Error(`process ${child.pid} is gone (exit code ${code})`))
  })
  return (wish) => {
    const id = ids++
    const waiting = Promise.withResolvers<Answer>()
    open.set(id, waiting)
    child.send({ id, wish } satisfies Asked<Wish>)
    return waiting.promise
  }
}

/** The other end. It does not keep the process alive. */
export function answering<Wish, Answer>(handle: (wish: Wish) => Answer | Promise<Answer>): void {
  process.on('message', ({ id, wish }: Asked<Wish>) => {
    Promise.try(handle, wish).then(
      (answer) => process.send?.({ id, answer } satisfies Answered<Answer>),
      (error: unknown) => process.send?.({ id, error: String(error) } satisfies Answered<Answer>),
    )
  })
  process.channel?.unref()
}
