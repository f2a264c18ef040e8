import type { Found } from '../../contract/knowledge.ts'
import { withPassages, type Tool, type ToolContext } from '../../contract/tool.ts'
import { textArgument } from './text-argument.ts'

const QUERY_CHARS = 1000
const MOST = 10
const USUAL = 5

export interface KnowledgeQuery extends Pick<ToolContext, 'tenant' | 'workspaceId' | 'signal'> {
  readonly text: string
  readonly limit: number
}

/** Searches the published documents that conversations of this workspace may use. */
export function knowledgeSearch(find: (query: KnowledgeQuery) => Promise<readonly Found[]>): Tool {
  return {
    name: 'knowledge_search',
    description:
      'Searches the documents that people published here, by words and by meaning. Each passage has a label to cite ' +
      'it with, such as [k1].',
    input: {
      type: 'object',
      properties: {
        query: { type: 'string', minLength: 1, maxLength: QUERY_CHARS, description: 'what to look for' },
        limit: { type: 'integer', minimum: 1, maximum: MOST, default: USUAL },
      },
      required: ['query'],
      additionalProperties: false,
    },
    effect: 'pure',
    approval: 'auto',
    needs: 'knowledge:read',
    reach: [],
    // People of the same tenant reviewed and published every word.
    own: true,
    async run(args, { tenant, workspaceId, signal }) {
      const limit = Number(args['limit'] ?? USUAL)
      const found = await find({ tenant, workspaceId, text: textArgument(args, 'query'), limit, signal })
      if (found.length === 0) return 'Nothing was found.'
      const named = found.map(({ documentId, version, chunk, title, place, text }) => ({
        documentId,
        version,
        chunk,
        chars: title.length + place.length + text.length,
      }))
      return withPassages(`Passages found: ${found.length}.`, named)
    },
  }
}
