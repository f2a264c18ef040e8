import type { Context } from 'hono'
import { invalidField } from '../../contract/problem.ts'
import { withoutUnseen } from '../../lib/unseen.ts'
import { isDocumentType, typeOfName, type DocumentChangesInput, type NewDocumentInput } from '../../knowledge/index.ts'
import { readMultipart, type FormPart } from './multipart.ts'
import type { AppEnv } from './route.ts'

/** More than any field may really have; the service says how much that is. */
const FIELD_BYTES = 10_000
const TITLE_CHARS = 200

const FILE = 'file'

type Fields<Name extends string> = Readonly<Partial<Record<Name, string>>>

/** A document that comes as a file, with its title from the name of the file if none is given. */
export async function newDocumentIn(c: Context<AppEnv>): Promise<NewDocumentInput> {
  const { file, fields } = await formIn(c, ['title', 'workspaceId', 'source', 'contentType'])
  if (!file) throw invalidField(FILE, 'is needed: the document, with its name')
  const { title = titleOf(file.fileName ?? ''), workspaceId, source } = fields
  return {
    title,
    ...contentOf(file, fields),
    ...(workspaceId !== undefined && { workspaceId }),
    ...(source !== undefined && { source }),
  }
}

export async function documentChangesIn(c: Context<AppEnv>): Promise<DocumentChangesInput> {
  const { file, fields } = await formIn(c, ['title', 'revision', 'contentType'])
  const { title, revision, contentType } = fields
  if (!file && contentType !== undefined) throw invalidField(FILE, 'is needed for a contentType')
  if (revision !== undefined && !/^\d{1,15}$/.test(revision)) throw invalidField('revision', 'must be a whole number')
  return {
    ...(title !== undefined && { title }),
    ...(file && contentOf(file, fields)),
    ...(revision !== undefined && { revision: Number(revision) }),
  }
}

async function formIn<Name extends string>(
  c: Context<AppEnv>,
  known: readonly Name[],
): Promise<{ readonly file?: FormPart; readonly fields: Fields<Name> }> {
  const parts = readMultipart(Buffer.from(await c.req.arrayBuffer()), c.req.header('content-type') ?? '')
  const fields: Partial<Record<Name, string>> = {}
  let file: FormPart | undefined
  for (const part of parts) {
    const name = known.find((one) => one === part.name)
    if (part.name !== FILE && name === undefined)
      throw invalidField(part.name.slice(0, 100), `is no field of this form; it has ${[FILE, ...known].join(', ')}`)
    if (name === undefined ? file : fields[name] !== undefined)
      throw invalidField(part.name, 'is there twice; send one document at a time')
    if (name === undefined) file = part
    else fields[name] = textOf(name, part.bytes)
  }
  return { fields, ...(file && { file }) }
}

function textOf(name: string, bytes: Buffer): string {
  if (bytes.length > FIELD_BYTES) throw invalidField(name, `may have ${FIELD_BYTES} bytes`)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw invalidField(name, 'must be UTF-8')
  }
}

/** The name of a file tells its type better than a browser, which often does not know it. */
function contentOf({ bytes, fileName = '', contentType = '' }: FormPart, fields: Fields<'contentType'>) {
  return { content: bytes, contentType: fields.contentType ?? typeOfName(fileName) ?? typeOfPart(contentType) }
}

function typeOfPart(contentType: string): string {
  if (contentType === '' || isDocumentType(contentType)) return contentType
  const formats = 'Markdown (.md), plain text (.txt), HTML, PDF or DOCX (.docx)'
  throw invalidField(FILE, `is of a type that cannot be read; save it as ${formats} and upload that`)
}

/** Of a file's name, without its folder, its ending and what nobody can see. */
function titleOf(fileName: string): string {
  const name = fileName.split(/[/\\]/).at(-1) ?? ''
  const dot = name.lastIndexOf('.')
  const title = withoutUnseen(dot > 0 ? name.slice(0, dot) : name)
  return title.replaceAll(/\s+/g, ' ').trim().slice(0, TITLE_CHARS).toWellFormed()
}
