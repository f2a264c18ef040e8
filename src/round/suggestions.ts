import { redactSecrets } from '../audit/index.ts'
import type { Suggestion } from '../contract/event.ts'
import { MEMORY_CHARS } from '../contract/memory.ts'
import { cleanMemory, memoryFault } from '../lib/memory-text.ts'
import { mayRemember, roundOf, type Work } from './work.ts'

/** Of what the tags of an answer want remembered, what may be: each once, and as much as the round has left. */
export async function suggestionsOf(
  said: readonly string[] | undefined,
  { session, deps }: Work,
): Promise<Suggestion[]> {
  if (!said) return []
  const { state } = session
  const round = roundOf({ session })
  const { tenant, id } = state.actor
  const preferences = await deps.preferences(tenant, id)
  if (!mayRemember(round.started, preferences?.preferences)) return []
  const redact = (text: string): string => redactSecrets(deps.redact(text))
  const fit = [...new Set(said.map(cleanMemory))].filter((text) => !memoryFault(text, MEMORY_CHARS, redact))
  const left = Math.max(0, deps.settings.remembers - round.remembered)
  const proposed = state.taintedBy === null ? {} : { proposed: true as const }
  return fit.slice(0, left).map((content) => ({ content, ...proposed }))
}
