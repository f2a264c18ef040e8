import { LOCAL_OWNER } from '../../src/contract/actor.ts'
import type { Segno } from '../../src/segno.ts'
import type { Store } from '../../src/store/index.ts'
import { answerAsks } from './answer-asks.ts'
import { giveResults } from './give-results.ts'
import { hear } from './hear.ts'
import {
  MAIN,
  messageIdOf,
  messageOf,
  nextMessageOf,
  secondMessageOf,
  type Episode,
  type Known,
  type State,
} from './plan.ts'
import type { Hit } from './points.ts'
import { askedSeq, silentForks, someSeq, stateOf } from './read-state.ts'

export interface Driving {
  readonly segno: Segno
  /** the store itself, without any wrapper: what is really there */
  readonly store: Store
  readonly episode: Episode
  readonly known: Known
  readonly hit: Hit
  readonly patienceMs: number
  /** called whenever the model has said something */
  onSpeech?(): void
  /** called when all bystanders have sent their messages */
  onCrowd?(): void
  fork(episode: Episode, sessionId: string, seq?: number): Promise<void>
}

/** What a client does: sends, follows, decides, and sends again under the same id where nothing was acknowledged. */
export async function driveEpisode(driving: Driving): Promise<State | undefined> {
  const { segno, store, episode, hit } = driving
  const over = new AbortController()
  const following: Promise<void>[] = []
  const hurried = AbortSignal.timeout(driving.patienceMs)
  try {
    const main = await sessionNamed(segno, MAIN)
    following.push(follow(driving, main, over.signal))
    const crowd = Array.from({ length: episode.bystanders ?? 0 }, (_, n) => talk(driving, n, over.signal))
    void Promise.allSettled(crowd).then(() => driving.onCrowd?.())
    const others: Promise<unknown>[] = crowd.map(async (one) => segno.completion(...(await one)))
    const requestId = await send(segno, main, messageOf(episode), messageIdOf(episode), episode)
    const round = segno.completion(main, requestId)
    if (episode.second) {
      const second = await send(
        segno,
        main,
        secondMessageOf(episode),
        `${messageIdOf(episode)}-second`,
        episode,
        episode.second,
      )
      hit('second message acknowledged')
      others.push(segno.completion(main, second))
    }
    const asks = answerAsks(driving, main, requestId, over.signal)
    const results = giveResults(driving, main, requestId, over.signal)
    if (!(await before(hurried, Promise.race([round, asks, results]))))
      return await giveUp(driving, 'its round does not end')
    if (!(await before(hurried, Promise.all(others)))) return await giveUp(driving, 'another round does not end')
    const events = (await store.read(main)).filter((event) => event.requestId === requestId)
    if (episode.fork === 'ended') await driving.fork(episode, main, someSeq(events))
    if (episode.fork === 'asked') await driving.fork(episode, main, askedSeq(events))
    for (const id of [main, ...(await silentForks(store))]) {
      const next = await send(segno, id, nextMessageOf(episode), `${messageIdOf(episode)}-next-${id}`, episode)
      const answer = await before(hurried, segno.completion(id, next))
      if (!answer) return await giveUp(driving, `session ${id} does not answer the next message`)
      hear({ type: 'answered', requestId: next, finishReason: answer.finishReason, content: answer.content })
    }
    return await stateOf(store)
  } finally {
    over.abort()
    await Promise.all(following)
  }
}

async function giveUp({ episode, store }: Driving, why: string): Promise<undefined> {
  hear({ type: 'stuck', episode: episode.id, why, state: await stateOf(store) })
}

function before<T>(late: AbortSignal, what: Promise<T>): Promise<T | undefined> {
  if (late.aborted) return Promise.resolve(undefined)
  return Promise.race([
    what,
    new Promise<undefined>((resolve) => late.addEventListener('abort', () => resolve(undefined))),
  ])
}

async function sessionNamed(segno: Segno, alias: string): Promise<string> {
  const known = await segno.sessions.byAlias(LOCAL_OWNER, alias)
  if (known) return known.id
  const made = await segno.createSession({ alias })
  hear({ type: 'session', sessionId: made.id })
  return made.id
}

async function send(
  segno: Segno,
  sessionId: string,
  text: string,
  messageId: string,
  { protocol }: Episode,
  onBusy: 'queue' | 'interrupt' = 'queue',
): Promise<string> {
  const { requestId } = await segno.rounds.send(LOCAL_OWNER, sessionId, text, { messageId, protocol, onBusy })
  hear({ type: 'accepted', sessionId, requestId, messageId })
  return requestId
}

/** Goes on behind the last number that any life has shown, like a client that comes back. */
async function follow({ segno, known, onSpeech }: Driving, sessionId: string, signal: AbortSignal): Promise<void> {
  for await (const frame of segno.follow(sessionId, { after: known.after[sessionId] ?? 0, signal })) {
    if (frame.kind !== 'event') {
      onSpeech?.()
      continue
    }
    hear({ type: 'event', event: frame.event })
    known.after[sessionId] = frame.event.seq
  }
}

async function talk(driving: Driving, n: number, signal: AbortSignal): Promise<[sessionId: string, requestId: string]> {
  const { segno, episode } = driving
  const sessionId = await sessionNamed(segno, `bystander-${n}`)
  void follow(driving, sessionId, signal)
  const sent = await send(
    segno,
    sessionId,
    `meanwhile ${episode.id}`,
    `${messageIdOf(episode)}-meanwhile-${n}`,
    episode,
  )
  return [sessionId, sent]
}
