import { expect, test } from 'vitest'
import { Problem, type ProblemCode } from '../../../contract/problem.ts'
import type { Reached } from '../reach.ts'
import { followSession } from './follow-session.ts'

/** What a server streams that answers in these ways, one after the other; then it is left. */
function following(...answers: (() => Response)[]) {
  const asked: string[] = []
  const told: string[] = []
  const end = new AbortController()
  const stream = (path: string): Promise<Response> => {
    asked.push(path)
    const next = answers.shift()
    if (!next) end.abort()
    return Promise.resolve().then(next ?? silent)
  }
  const frames = followSession({ stream } as Partial<Reached> as Reached, 's', {
    after: 4,
    outputs: false,
    signal: end.signal,
    silenceMs: 20,
    lost: (why) => told.push(why),
    back: () => told.push('back'),
  })
  return { frames, asked, told }
}

const refuses = (code: ProblemCode) => () => {
  throw new Problem(code, 'No.')
}
const silent = (): Response => new Response(new ReadableStream({}))
const says = (seq: number) => () =>
  new Response(`id: ${seq}\nevent: notice\ndata: ${JSON.stringify({ seq, type: 'notice' })}\n\n`)

test.each(['NOT_FOUND', 'KEY_REQUIRED', 'KEY_INVALID', 'PERMISSION_DENIED', 'CONFLICT'] as const)(
  'a refusal that no other try helps against ends it: %s',
  async (code) => {
    const { frames, asked } = following(refuses(code))
    await expect(frames.next()).rejects.toMatchObject({ code })
    expect(asked).toHaveLength(1)
  },
)

test('a connection that breaks or falls silent is tried again from where it was', async () => {
  const { frames, asked, told } = following(says(7), silent, says(8))
  const seen: unknown[] = []
  for await (const frame of frames) seen.push(frame.kind === 'event' && frame.event.seq)
  expect(seen).toEqual([7, 8])
  expect(asked.map((path) => /after=(\d+)/.exec(path)?.[1])).toEqual(['4', '7', '7', '8'])
  expect(told.filter((words) => words === 'back')).toHaveLength(3)
})
