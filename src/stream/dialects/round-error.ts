import type { EventData } from '../../contract/event.ts'

/** What a client is told of a round that failed. */
export function roundError(ended: EventData['round.ended']): { code: string; message: string } | undefined {
  if (ended.finishReason !== 'error') return undefined
  return { code: 'MODEL_ERROR', message: ended.error ?? 'The round ended with an error.' }
}
