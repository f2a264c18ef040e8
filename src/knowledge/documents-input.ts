import { refuseUnknownFields } from '../contract/known-fields.ts'
import { invalidField } from '../contract/problem.ts'
import { checkLine } from './check-text.ts'
import { readContentType } from './parse/document-types.ts'

/** Words, or the bytes of a file. */
type DocumentContent = string | Uint8Array

export interface DocumentInput {
  readonly title?: string
  readonly content?: DocumentContent
  /** default: Markdown for words; a file needs one */
  readonly contentType?: string
}

export interface NewDocumentInput extends DocumentInput {
  readonly title: string
  readonly content: DocumentContent
  /** default: `system`, whose documents the whole tenant finds */
  readonly workspaceId?: string
  /** where it comes from, such as a path in a folder; one document for each in a workspace */
  readonly source?: string
}

export interface DocumentChangesInput extends DocumentInput {
  /** the one that was looked at; refused if it has changed since */
  readonly revision?: number
}

/** Content as it is read and counted. */
export interface Upload {
  readonly bytes: Uint8Array
  readonly contentType: string
}

const TITLE_CHARS = 200
const SOURCE_CHARS = 500
const TYPE_CHARS = 200

export function checkNewDocument(wanted: NewDocumentInput): void {
  refuseUnknownFields(wanted, ['title', 'content', 'contentType', 'workspaceId', 'source'], 'A document')
  const { title, source, content } = wanted
  checkLine('title', title ?? '', TITLE_CHARS)
  if (source !== undefined) checkLine('source', source, SOURCE_CHARS)
  if (content === undefined) throw invalidField('content', 'is needed: the words of the document, or a file')
}

export function checkDocumentChanges(changes: DocumentChangesInput): void {
  refuseUnknownFields(changes, ['title', 'content', 'contentType', 'revision'], 'A document')
  const { title, content, contentType } = changes
  if (title !== undefined) checkLine('title', title, TITLE_CHARS)
  if (contentType !== undefined && content === undefined)
    throw invalidField('contentType', 'can only be changed together with the content')
}

/** `usual`: the type where none is given */
export function uploadOf({ content, contentType = '' }: DocumentInput, usual: string): Upload | undefined {
  if (content === undefined) return undefined
  if (typeof content !== 'string' && !(content instanceof Uint8Array))
    throw invalidField('content', 'must be text or the bytes of a file')
  if (typeof content === 'string' && !content.isWellFormed())
    throw invalidField('content', 'holds half a character (a lone UTF-16 surrogate); send well-formed text')
  if (contentType.length > TYPE_CHARS) throw invalidField('contentType', `may have ${TYPE_CHARS} characters`)
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  return { bytes, contentType: readContentType(contentType === '' ? usual : contentType) }
}
