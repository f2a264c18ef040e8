import type { Suggestion } from '../../../contract/event.ts'
import { oneLine } from './safe-text.ts'

/** What an answer noted about the user, a line for each. */
export const rememberedLines = (remembers: readonly Suggestion[] = []): string[] =>
  remembers.map(({ content, proposed }) =>
    proposed ? `Would remember, if you keep it: ${oneLine(content)}${KEEP}` : `Remembered: ${oneLine(content)}`,
  )

const KEEP = ' (segno memories ls --status proposed)'
