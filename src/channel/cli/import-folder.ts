import { lstat, readdir, readFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { ApiProblem, type Client, type KnowledgeDocument } from '../../client/index.ts'
import { Problem } from '../../contract/problem.ts'
import { delay } from '../../lib/delay.ts'
import { sha256 } from '../../lib/hash.ts'
import { typeOfName } from '../../knowledge/index.ts'

/** What came of the files of a folder; each by its source. */
export interface Imported {
  readonly created: readonly KnowledgeDocument[]
  readonly changed: readonly KnowledgeDocument[]
  readonly unchanged: number
  readonly failed: readonly { readonly source: string; readonly why: string }[]
  /** hidden, a link, or of a type that cannot be read */
  readonly leftOut: number
  /** of those, how many have a type that cannot be read, by the endings of their names */
  readonly otherTypes: Readonly<Record<string, number>>
  /** documents of earlier imports that are not archived and whose files are gone; they stay as they are */
  readonly gone: readonly KnowledgeDocument[]
}

export interface ImportOptions {
  readonly workspaceId: string
  /** Tells that so many files of all are done. */
  onProgress(done: number, total: number, source: string): void
}

const AT_ONCE = 2
const TITLE_CHARS = 200
const MOST_TRIES = 20

/** Files as documents, which have the folder's name and their path in it as source; unchanged ones are left alone. */
export async function importFolder(client: Client, folder: string, options: ImportOptions): Promise<Imported> {
  const { workspaceId, onProgress } = options
  const root = resolve(folder)
  const name = basename(root)
  const { files, leftOut, otherTypes, unread } = await filesIn(root)
  const bySource = await documentsIn(client, workspaceId)
  const created: KnowledgeDocument[] = []
  const changed: KnowledgeDocument[] = []
  const failed = unread.map(({ path, why }) => ({ source: `${name}/${path}`, why }))
  let unchanged = 0
  let done = 0

  async function importFile(file: string): Promise<void> {
    const source = `${name}/${file}`
    onProgress(done, files.length, file)
    try {
      const bytes = await readFile(join(root, file))
      const there = bySource.get(source)
      if (there?.hash === sha256(bytes)) unchanged += 1
      else if (there) changed.push(await patient(() => changeDocument(client, there, file, bytes)))
      else
        created.push(
          await patient(() => addDocument(client, { file, bytes, source, workspaceId, title: titleOf(file) })),
        )
    } catch (error) {
      if (error instanceof ApiProblem && isTheServers(error)) throw error
      failed.push({ source, why: (error as Error).message })
    }
    done += 1
  }

  const waiting = files.values()
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const file of waiting) await importFile(file)
    }),
  )
  const sources = new Set(files.map((file) => `${name}/${file}`))
  const mayBeThere = (source: string): boolean =>
    sources.has(source) || unread.some(({ path }) => source.startsWith(`${name}/${path}/`))
  const gone = [...bySource.values()].filter(
    ({ source = '', status }) => status !== 'archived' && source.startsWith(`${name}/`) && !mayBeThere(source),
  )
  return { created, changed, unchanged, failed: failed.sort(byName), leftOut, otherTypes, gone }
}

const byName = (one: { source: string }, other: { source: string }): number => (one.source < other.source ? -1 : 1)

export interface FileToAdd {
  readonly file: string
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly workspaceId: string
  readonly source?: string
  readonly title?: string | undefined
}

export function addDocument(client: Client, { file, bytes, workspaceId, source, title }: FileToAdd) {
  const form = formOf(file, bytes)
  form.set('workspaceId', workspaceId)
  if (source !== undefined) form.set('source', source)
  if (title !== undefined) form.set('title', title)
  return client.requestJson<KnowledgeDocument>('POST', '/api/knowledge', { form, fields: ['id', 'status'] })
}

function changeDocument(
  client: Client,
  { id, revision }: KnowledgeDocument,
  file: string,
  bytes: Uint8Array<ArrayBuffer>,
) {
  const form = formOf(file, bytes)
  form.set('revision', String(revision))
  return client.requestJson<KnowledgeDocument>('PATCH', `/api/knowledge/${id}`, { form, fields: ['id', 'status'] })
}

export function formOf(file: string, bytes: Uint8Array<ArrayBuffer>): FormData {
  const form = new FormData()
  form.set('file', new File([bytes], basename(file)))
  return form
}

/** Of a file in a folder: its path without the ending, so that two of the same name can be told apart. */
function titleOf(file: string): string {
  const title = file.replace(/\.[^./]{1,20}$/, '')
  return title.length <= TITLE_CHARS ? title : title.slice(-TITLE_CHARS).toWellFormed()
}

/** Such as `.csv`. */
function endingOf(name: string): string {
  const dot = name.lastIndexOf('.')
  return dot < 0 ? 'without ending' : name.slice(dot).toLowerCase()
}

/** A folder in the folder that cannot be read. */
interface Unread {
  readonly path: string
  readonly why: string
}

/** Paths in the folder, in order; neither links nor what is hidden is followed. */
async function filesIn(
  root: string,
): Promise<{ files: string[]; unread: Unread[] } & Pick<Imported, 'leftOut' | 'otherTypes'>> {
  const found = await lstat(root).catch(() => undefined)
  if (!found?.isDirectory())
    throw new Problem('VALIDATION_ERROR', `${root} is no folder. One file: segno knowledge add <file>.`)
  const files: string[] = []
  let leftOut = 0
  const otherTypes = new Map<string, number>()
  const unread: Unread[] = []
  async function walk(folder: string): Promise<void> {
    const entries = await readdir(join(root, folder), { withFileTypes: true }).catch((cause: unknown) => {
      const { message: why } = cause as Error
      if (folder === '') throw new Problem('VALIDATION_ERROR', `${root} cannot be read: ${why}.`, { cause })
      unread.push({ path: folder, why })
      return []
    })
    for (const entry of entries.sort((one, other) => (one.name < other.name ? -1 : 1))) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (entry.name.startsWith('.')) leftOut += 1
      else if (entry.isDirectory()) await walk(path)
      else if (entry.isFile() && typeOfName(entry.name) !== undefined) files.push(path)
      else {
        leftOut += 1
        const ending = endingOf(entry.name)
        if (entry.isFile()) otherTypes.set(ending, (otherTypes.get(ending) ?? 0) + 1)
      }
    }
  }
  await walk('')
  return { files, unread, leftOut, otherTypes: Object.fromEntries(otherTypes) }
}

async function documentsIn(client: Client, workspaceId: string): Promise<Map<string, KnowledgeDocument>> {
  const all = await client.listAll<KnowledgeDocument>(`/api/knowledge?workspaceId=${encodeURIComponent(workspaceId)}`)
  return new Map(all.flatMap((one) => (one.source === undefined ? [] : [[one.source, one]])))
}

/** Waits where Segno asks to, which a large folder makes it do. */
export async function patient<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1)
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof ApiProblem) || error.status !== 429 || tries === MOST_TRIES) throw error
      await delay(error.retryAfterMs ?? 1000)
    }
}

/** What would be wrong with every file: no answer, no permission, a server that fails. */
const isTheServers = ({ status }: ApiProblem): boolean =>
  status === 0 || status === 401 || status === 403 || status >= 500
