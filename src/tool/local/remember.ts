import { MEMORY_CATEGORIES, MEMORY_CHARS, REMEMBER, type MemoryCategory } from '../../contract/memory.ts'
import type { JsonObject } from '../../contract/message.ts'
import type { Tool, ToolContext } from '../../contract/tool.ts'
import { textArgument } from './text-argument.ts'

/** What is to be remembered, and where it was said. */
export interface RememberRequest {
  readonly content: string
  readonly category?: MemoryCategory
  readonly importance?: number
  /** the words of what it replaces */
  readonly replaces?: string
  readonly context: ToolContext
}

/** What became of it; undefined: the user does not allow it. */
export type Remembered = { readonly proposed: boolean; readonly known: boolean; readonly replaced: boolean } | undefined

/** Notes something about the user for later conversations. */
export function remember(note: (request: RememberRequest) => Promise<Remembered>): Tool {
  return {
    name: REMEMBER,
    description:
      'Notes one fact about the user for later conversations. If it replaces something you were told that the user ' +
      'wanted to be remembered, say which. No secrets.',
    input: {
      type: 'object',
      properties: {
        content: {
          type: 'string',
          minLength: 1,
          maxLength: MEMORY_CHARS,
          description: 'the fact, in words of its own',
        },
        category: { type: 'string', enum: [...MEMORY_CATEGORIES] },
        importance: { type: 'integer', minimum: 1, maximum: 10, default: 5 },
        replaces: { type: 'string', maxLength: MEMORY_CHARS, description: 'the words of the memory it replaces' },
      },
      required: ['content'],
      additionalProperties: false,
    },
    effect: 'keyed',
    approval: 'auto',
    reach: [],
    consent: 'memory',
    remembers: true,
    own: true,
    run: async (args, context) => wordsOf(await note({ ...requestOf(args), context })),
  }
}

function requestOf(args: JsonObject): Omit<RememberRequest, 'context'> {
  const { category, importance, replaces } = args
  return {
    content: textArgument(args, 'content'),
    ...(typeof category === 'string' && { category: category as MemoryCategory }),
    ...(typeof importance === 'number' && { importance }),
    ...(typeof replaces === 'string' && { replaces }),
  }
}

function wordsOf(remembered: Remembered): string {
  if (!remembered) return 'The user does not allow anything to be remembered.'
  const { proposed, known, replaced } = remembered
  if (proposed) return 'Proposed: this conversation has text of others, so the user has to keep it first.'
  if (known) return 'It was remembered already.'
  return replaced ? 'Remembered, instead of what was there before.' : 'Remembered.'
}
