import { Problem } from '../../../contract/problem.ts'
import { titleOf, type Session } from './api.ts'
import type { ConversationOptions } from './conversation.ts'
import { followSession } from './follow-session.ts'
import type { ChatFrame } from './frames.ts'
import { recapOf, recapText } from './recap.ts'
import { createTranscript, type Transcript } from './transcript.ts'

export interface ChatSessionOptions extends Omit<ConversationOptions, 'me' | 'isLive'> {
  /** what a session that is made should use */
  readonly wished: object
  /** Shall what was said in this round be shown? */
  echoes(requestId: string): boolean
  say: Transcript['say']
  /** A frame came, and is written. */
  seen(frame: ChatFrame): void
  /** It cannot be followed any more: no end of a round will be seen. */
  lost(): void
  background(work: Promise<void>): void
}

const RECAP_EVENTS = 300

/** The session that is talked in, followed and written to the screen. */
export function createChatSession(options: ChatSessionOptions) {
  const { reached, api, screen, paint, wished, echoes, say, seen, lost, keep, background } = options
  let id: string | undefined
  let isFollowed = false
  /** made for a first message that is not in it yet */
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
    const broke = (why: string): void => say(`${why} Trying again until it is back …`, 'careful')
    const back = (): void => say('Connected again.', 'dim')
    try {
      for await (const frame of followSession(reached, sessionId, { after, outputs, signal, lost: broke, back })) {
        if (signal.aborted) return
        if (frame.kind === 'event' && frame.event.type === 'round.started') isEmpty = false
        transcript.see(frame)
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

  function stopFollowing({ message }: Problem): void {
    isFollowed = false
    say(`${message} This conversation is not followed any more; your next message tries it again.`, 'bad')
    transcript = newTranscript(transcript.seq, true)
  }

  /** The next message begins a new one. */
  function begin(): void {
    following.abort()
    id = undefined
    transcript = newTranscript(0, true)
    say('A new conversation begins with your next message.', 'dim')
  }

  return {
    /** undefined until something is said */
    get id() {
      return id
    },
    get transcript() {
      return transcript
    },
    begin,
    /** The session, made for this message if there is none. */
    async idFor(firstMessage: string): Promise<string> {
      if (id !== undefined) {
        if (!isFollowed) background(follow(id, transcript.seq))
        return id
      }
      const made = await api.create({ title: titleOf(firstMessage), ...wished })
      id = made.id
      isEmpty = true
      keep(id)
      background(follow(id, 0))
      return id
    },
    /** Goes on with another one; answers with what was said in it. */
    async open(session: Session): Promise<readonly string[]> {
      const { said, last, after } = recapOf(
        await api.events(session.id, Math.max(0, session.seq - RECAP_EVENTS)),
        session.open && (await api.startOf(session.id, session.open.requestId)),
      )
      following.abort()
      id = session.id
      isEmpty = false
      keep(id)
      transcript = newTranscript(after, true)
      screen.write(recapText(session.title, last, screen.width, paint))
      background(follow(id, after))
      return said
    },
    /** The first message was refused: the session that was made for it is taken back. */
    async takeBack(): Promise<void> {
      if (id === undefined || !isEmpty) return
      following.abort()
      const made = id
      id = undefined
      transcript = newTranscript(0, true)
      await api.remove(made)
    },
    toggleOutputs(): boolean {
      outputs = !outputs
      if (id !== undefined) background(follow(id, transcript.seq))
      return outputs
    },
    leave: (): void => following.abort(),
  }
}
