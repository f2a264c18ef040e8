import type { KnowledgeDocument } from '../../client/index.ts'
import { visible } from '../../lib/visible.ts'
import type { Answer } from './cli.ts'

export function documentLine(document: KnowledgeDocument): string {
  const { id, workspaceId, title, version, status, chunks, author, publishedVersion } = document
  const isOlderFound = publishedVersion !== undefined && publishedVersion !== version
  const found = isOlderFound ? `, v${publishedVersion} is found` : ''
  const what = `${visible(title)} v${version} of ${visible(workspaceId)}`
  return `${id}  ${status}  ${what}, ${pieces(chunks)}, by ${visible(author)}${reviewOf(document)}${found}`
}

function reviewOf({ status, reason, selfApproved, reviewer }: KnowledgeDocument): string {
  if (status === 'draft' && reason !== undefined) return ', rejected'
  return selfApproved ? ', self-approved' : reviewer ? `, approved by ${visible(reviewer)}` : ''
}

const pieces = (count: number): string => `${count} ${count === 1 ? 'chunk' : 'chunks'}`

/** All that is known of it, without its words. */
export function documentText(document: KnowledgeDocument): string {
  const { editors, reason, source, contentType, bytes, status, revision } = document
  return [
    documentLine(document),
    `  ${contentType}, ${bytes} bytes${source === undefined ? '' : `, from ${visible(source)}`}`,
    `  revision ${revision}`,
    ...(editors.length > 0 ? [`  changed by ${editors.map(visible).join(', ')}`] : []),
    ...(reason === undefined ? [] : [`  ${status === 'draft' ? 'rejected, because' : 'because'}: ${visible(reason)}`]),
    `  segno knowledge chunks ${document.id} shows its words`,
  ].join('\n')
}

/** What it is now, and what can be done with it. `step`: what was just done. */
export function documentTold(document: KnowledgeDocument, step?: string): Answer {
  const { id, status, reviewer } = document
  const next = {
    draft: step === 'reject' ? 'its author reads why, changes it and submits it again' : `segno knowledge submit ${id}`,
    pending_review: `somebody else says: segno knowledge approve ${id}   (or reject ${id} --reason "…")`,
    approved: `segno knowledge publish ${id}`,
    published: `it is found from now on; segno knowledge archive ${id} ends that`,
    archived:
      reviewer === undefined
        ? `nobody approved its newest version; segno knowledge edit ${id} --file <path> begins another`
        : `segno knowledge publish ${id} brings it back`,
  }[status]
  return { json: document, text: `${documentLine(document)}\n  ${next}` }
}
