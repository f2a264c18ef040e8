import type { Client, FollowStatus, Frame, NewSession, Session, WireEvent } from '../../../client/index.ts'
import { Problem } from '../../../contract/problem.ts'
import type { ConversationOptions } from './conversation.ts'
import { citedIn } from './cited.ts'
import { titleOf } from './first-message.ts'
import { recapOf, recapText } from './recap.ts'
import { createTranscript, type Transcript } from './transcript.ts'

export interface ChatSessionOptions extends Pick<ConversationOptions, 'screen' | 'paint' | 'keep'> {
  readonly api: Client
  /** for a new session */
  readonly preferences: NewSession
  echoes(requestId: string): boolean
  say: Transcript['say']
  /** Called after a frame was written. */
  seen(frame: Frame): void
  /** The session cannot be followed any more, so the end of its round will not be seen. */
  lost(): void
  background(work: Promise<void>): void
}

export type ChatSession = ReturnType<typeof createChatSession>

const RECAP_EVENTS = 300

/** The current session of the chat: follows it and writes it to the screen. */
export function createChatSession(options: ChatSessionOptions) {
  const { api, screen, paint, preferences, echoes, say, seen, lost, keep, background } = options
  let id: string | undefined
  let isFollowed = false
  /** new, and its first message is not stored yet */
  let isEmpty = false
  let outputs = false
  let following = new AbortController()
  let transcript = newTranscript(0, false)

  function newTranscript(after: number, isContinued: boolean): Transcript {
    const { width, write } = screen
    return createTranscript({ after, isContinued, width, paint, write, echoes, outputs: () => outputs })
  }

  async function follow(sessionId: string, after: number): Promise<void> {
    following.abort()
    following = new AbortController()
    isFollowed = true
    const { signal } = following
    let isLost = false
    const onStatus = (status: FollowStatus, problem?: Problem): void => {
      if (status === 'live' && isLost) say('Connected again.', 'dim')
      isLost = status === 'reconnecting'
      if (isLost) say(`${problem?.message} Trying again until it is back …`, 'careful')
    }
    try {
      for await (const frames of api.follow(sessionId, { after, outputs, signal, onStatus }))
        for (const frame of frames) {
          const cited = frame.kind === 'event' ? await citedIn(api, sessionId, frame.event) : []
          if (signal.aborted) return
          if (frame.kind === 'event' && frame.event.type === 'round.started') isEmpty = false
          transcript.see(frame, cited)
          seen(frame)
        }
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      if (error.code === 'NOT_FOUND') {
        say('This conversation is gone: somebody deleted it.', 'careful')
        begin()
      } else stopFollowing(error)
      lost()
    }
  }

  /** Undefined while the round is queued. */
  async function startOf(sessionId: string, round: string): Promise<WireEvent | undefined> {
    for await (const event of api.events(sessionId, { round })) if (event.type === 'round.started') return event
    return undefined
  }

  function stopFollowing({ message }: Problem): void {
    isFollowed = false
    say(`${message} This conversation is not followed any more; your next message tries it again.`, 'bad')
    transcript = newTranscript(transcript.seq, true)
  }

  /** The next message will start a new session. */
  function begin(): void {
    following.abort()
    id = undefined
    transcript = newTranscript(0, true)
    say('A new conversation begins with your next message.', 'dim')
  }

  return {
    /** undefined before the first message */
    get id() {
      return id
    },
    get transcript() {
      return transcript
    },
    begin,
    /** The id of the session; a new one is created if necessary. */
    async idFor(firstMessage: string): Promise<string> {
      if (id !== undefined) {
        if (!isFollowed) background(follow(id, transcript.seq))
        return id
      }
      const made = await api.createSession({ title: titleOf(firstMessage), ...preferences })
      id = made.id
      isEmpty = true
      keep(id)
      background(follow(id, 0))
      return id
    },
    /** Switches to another session and returns the messages that were sent in it. */
    async open(session: Session): Promise<readonly string[]> {
      const { said, last, after } = recapOf(
        await Array.fromAsync(api.events(session.id, { after: Math.max(0, session.seq - RECAP_EVENTS), limit: 1000 })),
        session.open && (await startOf(session.id, session.open.requestId)),
      )
      const shown = await Promise.all(
        last.map(async (event) => ({ event, cited: await citedIn(api, session.id, event) })),
      )
      following.abort()
      id = session.id
      isEmpty = false
      keep(id)
      transcript = newTranscript(after, true)
      screen.write(recapText(session.title, shown, screen.width, paint))
      background(follow(id, after))
      return said
    },
    /** The first message was refused: deletes the session that was created for it. */
    async takeBack(): Promise<void> {
      if (id === undefined || !isEmpty) return
      following.abort()
      const made = id
      id = undefined
      transcript = newTranscript(0, true)
      await api.deleteSession(made)
    },
    toggleOutputs(): boolean {
      outputs = !outputs
      if (id !== undefined) background(follow(id, transcript.seq))
      return outputs
    },
    leave: (): void => following.abort(),
  }
}
