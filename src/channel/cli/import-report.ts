import { ApiProblem, type Client, type KnowledgeDocument } from '../../client/index.ts'
import { visible } from '../../lib/visible.ts'
import type { Answer } from './cli.ts'
import { workspaceId } from './find-workspace.ts'
import { importFolder, patient, type Imported } from './import-folder.ts'
import { progressBar } from './progress-bar.ts'
import type { Reached } from './reach.ts'

export interface ImportFlags {
  readonly workspace?: string
  readonly publish?: boolean
}

/** What came of publishing. */
interface Published {
  readonly published: readonly KnowledgeDocument[]
  /** they wait for somebody else */
  readonly waiting: readonly KnowledgeDocument[]
}

export async function importWithProgress(
  { client }: Reached,
  folder: string,
  { workspace = 'system', publish = false }: ImportFlags,
): Promise<Answer> {
  let bar: ReturnType<typeof progressBar> | undefined
  const imported = await importFolder(client, folder, {
    workspaceId: await workspaceId(client, workspace),
    onProgress(done, total, source) {
      bar ??= progressBar('Importing', total)
      bar.show(done, source)
    },
  }).finally(() => bar?.end())
  const drafts = [...imported.created, ...imported.changed]
  const told = publish ? await publishAll(client, drafts) : undefined
  const all = workspace === 'system' ? '--all' : `--all --workspace ${workspace}`
  return { json: { ...imported, ...told }, text: textOf(imported, told, all), ok: imported.failed.length === 0 }
}

/** As far as one may: nobody approves their own words, unless they are alone and the settings let them. */
async function publishAll(client: Client, drafts: readonly KnowledgeDocument[]): Promise<Published> {
  const published: KnowledgeDocument[] = []
  const waiting: KnowledgeDocument[] = []
  const bar = progressBar('Publishing', drafts.length)
  const step = (id: string, name: string) =>
    patient(() =>
      client.requestJson<KnowledgeDocument>('POST', `/api/knowledge/${id}/${name}`, { fields: ['id', 'status'] }),
    )
  try {
    for (const [at, { id, title }] of drafts.entries()) {
      bar.show(at, title)
      const submitted = await step(id, 'submit')
      try {
        await step(id, 'approve')
        published.push(await step(id, 'publish'))
      } catch (error) {
        if (!(error instanceof ApiProblem) || error.code !== 'PERMISSION_DENIED') throw error
        waiting.push(submitted)
      }
    }
  } finally {
    bar.end()
  }
  return { published, waiting }
}

/** `all`: how the next step is taken with all of them. */
function textOf(imported: Imported, told: Published | undefined, all: string): string {
  const { created, changed, unchanged, failed, leftOut, otherTypes, gone } = imported
  const drafts = created.length + changed.length
  return [
    `${created.length} new, ${changed.length} changed, ${unchanged} as before, ${failed.length} failed.`,
    ...(leftOut === 0
      ? []
      : [`${leftOut} left out: hidden, links, or of a type that cannot be read${endingsText(otherTypes)}.`]),
    ...failed.map(({ source, why }) => `  ${visible(source)}: ${visible(why)}`),
    ...(gone.length === 0 ? [] : ['Their files are gone; they stay until you archive or delete them:']),
    ...gone.map(({ id, source = '' }) => `  ${id}  ${visible(source)}`),
    ...(told ? publishedText(told, drafts, all) : drafts === 0 ? [] : [`${NEXT} ${all}`]),
  ].join('\n')
}

/** The most frequent ones. */
function endingsText(otherTypes: Imported['otherTypes']): string {
  const all = Object.entries(otherTypes).sort(([, one], [, other]) => other - one)
  const first = all.slice(0, ENDINGS).map(([ending, many]) => `${many} ${visible(ending)}`)
  return all.length === 0 ? '' : ` (${[...first, ...(all.length > ENDINGS ? ['…'] : [])].join(', ')})`
}

const ENDINGS = 8
const NOTHING_NEW =
  'Nothing is new, so nothing was published. Drafts of earlier imports: segno knowledge ls --status draft'
const NEXT = 'They are drafts. Submit them for review: segno knowledge submit'

const publishedText = ({ published, waiting }: Published, drafts: number, all: string): string[] => [
  drafts === 0 ? NOTHING_NEW : `${published.length} published.`,
  ...(waiting.length === 0
    ? []
    : [
        `${waiting.length === 1 ? '1 waits' : `${waiting.length} wait`} for somebody else, who reads what waits and ` +
          `says: segno knowledge approve ${all}`,
        `Then they are published with: segno knowledge publish ${all}`,
      ]),
]
