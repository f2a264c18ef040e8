import type { KnowledgeDocument } from '../../client/index.ts'
import type { DocumentStatus } from '../../contract/knowledge.ts'
import { Problem } from '../../contract/problem.ts'
import { visible } from '../../lib/visible.ts'
import type { Answer, World } from './cli.ts'
import { documentLine, documentTold } from './document-words.ts'
import { findByStart, isWholeId } from './find-by-start.ts'
import { workspaceId } from './find-workspace.ts'
import { patient } from './import-folder.ts'
import { progressBar } from './progress-bar.ts'
import type { Reached } from './reach.ts'

export const STEP_NAMES = ['submit', 'approve', 'reject', 'publish', 'archive'] as const
export type StepName = (typeof STEP_NAMES)[number]

interface StepWords {
  readonly means: string
  readonly example: string
  /** what --all takes; without it there is no --all, because nobody should do that by mistake */
  readonly all?: DocumentStatus
  /** what comes after --all */
  readonly next?: string
}

export const STEPS: Readonly<Record<StepName, StepWords>> = {
  submit: {
    means: 'submit drafts for review',
    example: 'submit 0199a5c1 0199b7d2',
    all: 'draft',
    next: 'Somebody else reads what waits and says: segno knowledge approve --all',
  },
  approve: {
    means: 'approve what others wrote',
    example: 'approve 0199a5c1',
    all: 'pending_review',
    next: 'They are found once they are published: segno knowledge publish --all',
  },
  reject: {
    means: 'send them back to their authors, with a reason',
    example: 'reject 0199a5c1 --reason "page 3 is outdated"',
  },
  publish: {
    means: 'have them found from now on, instead of the versions before',
    example: 'publish --all',
    all: 'approved',
  },
  archive: { means: 'have them found no more', example: 'archive 0199a5c1' },
}

export interface StepFlags {
  readonly all?: boolean
  readonly workspace?: string
  readonly reason?: string
  readonly revision?: number
}

export const pathOf = (id: string): string => `/api/knowledge/${encodeURIComponent(id)}`

/** Finds whole ids of documents by how they begin, and asks for the list at most once. */
export function wholeIds({ client }: Reached): (start: string) => Promise<string> {
  let asked: Promise<readonly KnowledgeDocument[]> | undefined
  const all = () => (asked ??= client.listAll<KnowledgeDocument>('/api/knowledge?'))
  return async (start) =>
    isWholeId(start) ? start : (await findByStart(start, { one: 'document', topic: 'knowledge', all })).id
}

/** Takes one step with each; one that cannot take it stops no other. */
export async function takeSteps(reached: Reached, step: StepName, given: string[], flags: StepFlags): Promise<Answer> {
  const { reason, revision, all } = flags
  if (step === 'reject' && reason === undefined)
    throw new Problem('VALIDATION_ERROR', 'A reason is needed, so that its author knows what to change: --reason "…".')
  checkWhich(given, flags)
  const wholeId = wholeIds(reached)
  const options = { body: { reason, revision }, fields: ['id', 'status'] } as const
  const take = async (start: string) => {
    const path = `${pathOf(await wholeId(start))}/${step}`
    return reached.client.requestJson<KnowledgeDocument>('POST', path, options)
  }
  const [only, ...others] = given
  if (only !== undefined && others.length === 0) return documentTold(await take(only), step)
  const starts = all ? await allIds(reached, step, flags) : given
  const done = await eachOf(`To ${step}`, starts, async (start) => {
    const document = await take(start)
    return { json: document, text: documentLine(document) }
  })
  if (starts.length === 0) return { ...done, text: `There is nothing to ${step}.` }
  const { next } = STEPS[step]
  const isNext = all && done.ok && next !== undefined
  const where = flags.workspace === undefined ? '' : ` --workspace ${flags.workspace}`
  return isNext ? { ...done, text: `${done.text}\n${next}${where}` } : done
}

function checkWhich(given: readonly string[], { all = false, workspace, revision }: StepFlags): void {
  if (all === given.length > 0) throw new Problem('VALIDATION_ERROR', 'Say which: one or more ids, or --all.')
  if (workspace !== undefined && !all) throw new Problem('VALIDATION_ERROR', '--workspace narrows --all.')
  if (revision !== undefined && given.length !== 1)
    throw new Problem('VALIDATION_ERROR', '--revision is that of one document; give one id.')
}

async function allIds({ client }: Reached, step: StepName, { workspace }: StepFlags): Promise<string[]> {
  const { all: status } = STEPS[step]
  const query = new URLSearchParams({
    status: status ?? '',
    ...(workspace !== undefined && { workspaceId: await workspaceId(client, workspace) }),
  })
  return (await client.listAll<KnowledgeDocument>(`/api/knowledge?${query.toString()}`)).map(({ id }) => id)
}

/** Deletes each that is there, after asking once. */
export async function removeDocuments(
  reached: Reached,
  given: string[],
  yes: boolean,
  confirm: World['confirm'],
): Promise<Answer> {
  const wholeId = wholeIds(reached)
  const find = async (start: string) =>
    reached.client.requestJson<KnowledgeDocument>('GET', pathOf(await wholeId(start)), { fields: ['id', 'title'] })
  const looked = new Map<string, KnowledgeDocument | Problem>()
  for (const start of given) looked.set(start, await patient(() => find(start)).catch(problemIn))
  const found = [...looked.values()].filter((one): one is KnowledgeDocument => !(one instanceof Problem))
  if (found.length > 0 && !(await mayDelete(found.map(wordsOf), yes, confirm))) {
    const kept = found.map(({ id }) => ({ id, deleted: false }))
    return { json: looked.size === 1 ? kept[0] : kept, text: 'Nothing was deleted.' }
  }
  const remove = async (start: string) => {
    const document = looked.get(start)
    if (!document || document instanceof Problem) throw document ?? new Error('Nobody looked for it.')
    await reached.client.requestEmpty('DELETE', pathOf(document.id))
    return { json: { id: document.id, deleted: true }, text: `Deleted: ${wordsOf(document)}.` }
  }
  const [only, ...others] = looked.keys()
  return only !== undefined && others.length === 0 ? remove(only) : eachOf('To delete', [...looked.keys()], remove)
}

async function mayDelete(found: readonly string[], yes: boolean, confirm: World['confirm']): Promise<boolean> {
  if (yes) return true
  const what = found.join(', ')
  if (confirm) return confirm(`This deletes ${what}, for good. Delete? (yes/no) `)
  throw new Problem('VALIDATION_ERROR', `This would delete ${what}. Nobody can be asked here: say --yes.`)
}

const wordsOf = ({ title, version }: KnowledgeDocument): string =>
  `"${visible(title)}" with ${version === 1 ? 'its version' : `its ${version} versions`}`

/** Does it with one after the other and tells of each; what cannot be done with one stops no other. */
async function eachOf(what: string, starts: readonly string[], work: (start: string) => Promise<Answer>) {
  const answers: Answer[] = []
  /** why the last one failed, which often is so for all; it is told once */
  let why: string | undefined
  const bar = progressBar(what, starts.length)
  try {
    for (const [at, start] of starts.entries()) {
      bar.show(at, start)
      answers.push(
        await patient(() => work(start)).catch((error: unknown) => {
          const problem = problemIn(error)
          const isSame = problem.message === why
          why = problem.message
          return notDone(start, problem, isSame)
        }),
      )
    }
  } finally {
    bar.end()
  }
  const failed = answers.filter(({ ok }) => ok === false).length
  const sum = failed === 0 ? [] : [`${failed} of ${answers.length} failed.`]
  return {
    json: answers.map(({ json }) => json),
    text: [...answers.map(({ text }) => text), ...sum].join('\n'),
    ok: failed === 0,
  }
}

const notDone = (id: string, { code, message }: Problem, isSame: boolean): Answer => ({
  json: { id, code, error: message },
  text: `${id}  failed${isSame ? ', for the same reason' : `: ${visible(message)}`}`,
  ok: false,
})

/** Anything else is a bug and is thrown on. */
function problemIn(error: unknown): Problem {
  if (error instanceof Problem) return error
  throw error
}
