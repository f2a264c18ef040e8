import type { KnowledgeDocument, MeView } from '../../../../src/client/index.ts'
import type { DocumentStatus } from '../../../../src/contract/knowledge.ts'
import type { IconName } from '../../parts/icon.tsx'
import { may } from '../../state/may.ts'
import { visibleText } from '../../text/visible.ts'
import { hrefWith } from '../filters.ts'

export type Doc = KnowledgeDocument

export const STATUS: Readonly<Record<DocumentStatus, readonly [words: string, icon: IconName, tone: string]>> = {
  draft: ['draft', 'edit', 'muted'],
  pending_review: ['waits for review', 'clock', 'warn'],
  approved: ['approved', 'check', ''],
  published: ['published', 'play', 'ok'],
  archived: ['archived', 'archive', 'muted'],
}

/** Its title, safe to show. */
export const titleOf = ({ title }: Pick<Doc, 'title'>): string => visibleText(title)

export const hrefOfDocument = (id: string): string => hrefWith('knowledge', { id })

/** The older version that conversations still find, if there is one. */
export const foundBefore = ({ version, publishedVersion }: Doc): number | undefined =>
  publishedVersion === version ? undefined : publishedVersion

export type Step = 'submit' | 'approve' | 'reject' | 'publish' | 'archive'
export type Deed = 'submit' | 'publish' | 'archive' | 'version' | 'rename' | 'delete'

/** What somebody can do with a document now, besides reviewing it. */
export function deedsFor(
  me: MeView,
  doc: Pick<Doc, 'status' | 'publishedVersion' | 'publishedAt' | 'reviewer'>,
): Deed[] {
  const { status, publishedVersion, reviewer } = doc
  const mayWrite = may(me, 'knowledge:write')
  const mayPublish = may(me, 'knowledge:publish')
  const isFound = publishedVersion !== undefined
  const isOver = status === 'archived'
  const deeds: readonly (readonly [Deed, boolean])[] = [
    ['submit', status === 'draft' && mayWrite],
    ['publish', (status === 'approved' || isOver) && reviewer !== undefined && mayPublish],
    ['version', mayWrite],
    // A title is reviewed with the words below it, and told again once it was published.
    ['rename', !isFound && !isOver && doc.publishedAt === undefined && mayWrite],
    ['archive', isFound && !isOver && mayPublish],
    ['delete', mayWrite],
  ]
  return deeds.flatMap(([deed, can]) => (can ? [deed] : []))
}
