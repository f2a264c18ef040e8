/** The conversation in the middle; without a session, the first thing a person sees. */
export function Conversation({ sessionId }: { sessionId: string | undefined }) {
  return <p>{sessionId}</p>
}
