import { invalidField } from '../../contract/problem.ts'

const MARKDOWN = 'text/markdown'
const PLAIN = 'text/plain'
const HTML = 'text/html'
const PDF = 'application/pdf'
const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'

/** The kinds of documents that can be read. */
export const DOCUMENT_TYPES = [MARKDOWN, PLAIN, HTML, PDF, DOCX] as const
export type DocumentType = (typeof DOCUMENT_TYPES)[number]

const ENDINGS: ReadonlyMap<string, DocumentType> = new Map([
  ['md', MARKDOWN],
  ['markdown', MARKDOWN],
  ['txt', PLAIN],
  ['html', HTML],
  ['htm', HTML],
  ['pdf', PDF],
  ['docx', DOCX],
])
const READABLE_CHARSETS = ['utf-8', 'utf8', 'us-ascii']

/** The type of a file by the ending of its name. */
export function typeOfName(fileName: string): DocumentType | undefined {
  const dot = fileName.lastIndexOf('.')
  return dot < 0 ? undefined : ENDINGS.get(fileName.slice(dot + 1).toLowerCase())
}

/** Whether documents of this type can be read, whatever their charset is. */
export const isDocumentType = (contentType: string): boolean =>
  DOCUMENT_TYPES.some((one) => one === contentType.split(';')[0]?.trim().toLowerCase())

/** The type without its parameters; throws a Problem for one that cannot be read. */
export function readContentType(contentType: string): DocumentType {
  const [name = '', ...parameters] = contentType.split(';').map((part) => part.trim().toLowerCase())
  const type = DOCUMENT_TYPES.find((one) => one === name)
  if (type === undefined)
    throw invalidField('contentType', `is no type that can be read; expected one of ${DOCUMENT_TYPES.join(', ')}`)
  const charset = parameters.find((one) => one.startsWith('charset='))?.slice('charset='.length)
  if (charset !== undefined && type.startsWith('text/') && !READABLE_CHARSETS.includes(charset.replaceAll('"', '')))
    throw invalidField('contentType', 'names another charset than UTF-8; convert the text to UTF-8 and upload it again')
  return type
}
