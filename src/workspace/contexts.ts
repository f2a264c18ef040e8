import type { Actor } from '../contract/actor.ts'
import { need } from '../contract/need.ts'
import { invalidField } from '../contract/problem.ts'
import type { JudgedCall, UnwatchedCall, UnwatchedResult } from '../contract/unwatched-call.ts'
import type { ContextCall, ContextView, Workspace, WorkspaceText } from '../contract/workspace.ts'
import { canonicalJson } from '../lib/canonical-json.ts'
import type { Clock } from '../lib/clock.ts'
import { within } from '../lib/within.ts'
import type { WorkspaceInput } from './check-input.ts'
import { createFetched, isFresh, type Place, type TextOrError } from './fetched.ts'
import { MANAGE, type Workspaces } from './workspaces.ts'

export interface ContextOptions {
  readonly clock: Clock
  /** aborted when Segno closes */
  readonly closed: AbortSignal
  /** Whether a call that nobody watches may be made, and how. */
  judge(caller: Pick<Actor, 'id' | 'tenant' | 'permissions'>, call: UnwatchedCall): Promise<JudgedCall>
  /** What a server's tool is called here. */
  toolName(server: string, tool: string): string
  /** characters of one text that are told */
  readonly textChars: number
  /** how long a round waits for texts */
  readonly waitMs: number
}

/** The files and the fetched texts that workspaces add to their conversations. */
export interface Contexts {
  /** For rounds: what there is in time. */
  of(tenant: string, workspaceId: string): Promise<readonly WorkspaceText[]>
  /** Throws a Problem for a file or a call that could not be told. */
  check(actor: Actor, workspace: Workspace, changes: WorkspaceInput): Promise<void>
  /** How it is with each. */
  list(actor: Actor, workspaceId: string): Promise<readonly ContextView[]>
  /** The same after all was fetched anew. */
  refresh(actor: Actor, workspaceId: string): Promise<readonly ContextView[]>
}

/** How long somebody who looks at them waits for files. */
const LOOK_MS = 5000
const ERROR_CHARS = 500

export function createContexts(workspaces: Pick<Workspaces, 'of' | 'get'>, options: ContextOptions): Contexts {
  const { clock, closed, judge, toolName, textChars, waitMs } = options

  /** Whoever configured it was allowed to use the tool; now nobody in particular uses it. */
  const caller = ({ tenant, workspaceId }: Place) => {
    return { id: `workspace:${workspaceId}`, tenant, permissions: ['tool:invoke'] }
  }
  const readingOf = (workspaceId: string, path: string): UnwatchedCall => {
    return { tool: 'read_file', args: { path }, workspaceId, kind: 'local' }
  }
  const callOf = (workspaceId: string, { server, tool, args }: ContextCall): UnwatchedCall => {
    return { tool: toolName(server, tool), args, workspaceId, kind: 'mcp' }
  }

  const fetched = createFetched({
    clock,
    closed,
    fetch: (place, call, signal) => textOf(place, callOf(place.workspaceId, call), signal),
    async isWanted({ tenant, workspaceId }, call) {
      const { dynamicContext } = await workspaces.of(tenant, workspaceId)
      return dynamicContext.some((one) => canonicalJson(one) === canonicalJson(call))
    },
  })

  async function textOf(place: Place, call: UnwatchedCall, signal: AbortSignal): Promise<TextOrError> {
    try {
      const judged = await judge(caller(place), call)
      if (judged.refused !== undefined) return { error: sentence(judged.refused) }
      return resultOf(await judged.run(signal), call)
    } catch {
      return { error: 'It cannot be had just now.' }
    }
  }

  async function read(place: Place, path: string, ms: number): Promise<TextOrError> {
    const over = AbortSignal.any([closed, AbortSignal.timeout(ms)])
    const work = textOf(place, readingOf(place.workspaceId, path), over)
    let found: TextOrError = { error: 'It took too long to read.' }
    await within(
      ms,
      work.then((result) => (found = result)),
    )
    return found
  }

  async function views({ tenant, id: workspaceId, files, dynamicContext }: Workspace): Promise<ContextView[]> {
    const place = { tenant, workspaceId }
    const ofFiles = files.map(async (path): Promise<ContextView> => {
      const result = await read(place, path, LOOK_MS)
      return { kind: 'file', name: path, fetchedAt: clock.now(), ...viewOf(result) }
    })
    const ofCalls = dynamicContext.map((call): ContextView => {
      const { result, fetchedAt } = fetched.known(place, call) ?? {}
      const when = fetchedAt === undefined ? {} : { fetchedAt }
      return { kind: 'context', name: call.name, ...when, ...(result && viewOf(result)) }
    })
    return [...(await Promise.all(ofFiles)), ...ofCalls]
  }

  return {
    async of(tenant, workspaceId) {
      const { files, dynamicContext } = await workspaces.of(tenant, workspaceId)
      const place = { tenant, workspaceId }
      const entries = dynamicContext.length === 0 ? [] : fetched.look(place, dynamicContext)
      const [texts] = await Promise.all([
        Promise.all(files.map((path) => read(place, path, waitMs))),
        within(waitMs, Promise.all(entries.flatMap(({ going }) => (going ? [going] : [])))),
      ])
      const now = clock.now()
      return [
        ...files.flatMap((name, at) => told('file', name, texts[at], textChars)),
        ...entries
          .filter((entry) => isFresh(entry, now))
          .flatMap(({ call, result }) => told('context', call.name, result, textChars)),
      ]
    },

    async check(actor, { id, mcpServers }, { files = [], dynamicContext = [], mcpServers: chosen = mcpServers }) {
      for (const [at, path] of files.entries()) {
        const { refused } = await judge(actor, readingOf(id, path))
        if (refused !== undefined) throw invalidField(`files.${at}`, `cannot be told: ${refused}`)
      }
      for (const [at, call] of dynamicContext.entries()) {
        const field = `dynamicContext.${at}`
        if (chosen.length > 0 && !chosen.includes(call.server))
          throw invalidField(`${field}.server`, `must be one that this workspace uses: ${chosen.join(', ')}`)
        const { refused } = await judge(actor, callOf(id, call))
        if (refused !== undefined) throw invalidField(field, `cannot be fetched: ${refused}`)
      }
    },

    list: async (actor, workspaceId) => views(await workspaces.get(actor, workspaceId)),

    async refresh(actor, workspaceId) {
      need(actor, MANAGE)
      const workspace = await workspaces.get(actor, workspaceId)
      const { tenant, dynamicContext } = workspace
      await fetched.refresh({ tenant, workspaceId }, dynamicContext)
      return views(workspace)
    },
  }
}

/** What became of a call. A file's error is Segno's own sentence; that of a server may be anything. */
function resultOf({ outcome, content, later }: UnwatchedResult, { kind }: UnwatchedCall): TextOrError {
  if (later) return { error: 'The tool answers later, and nobody waits for that here.' }
  if (outcome === 'ok') return { text: content }
  if (outcome !== 'error') return { error: 'It took too long.' }
  if (kind === 'local') return { error: sentence(content) }
  return { error: 'The server failed or answered with an error; its state says more.' }
}

const sentence = (words: string): string => {
  const text = words.slice(0, ERROR_CHARS).toWellFormed()
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}${text.endsWith('.') ? '' : '.'}`
}

const viewOf = (result: TextOrError): Pick<ContextView, 'chars' | 'error'> =>
  'text' in result ? { chars: result.text.length } : { error: result.error }

function told(
  kind: WorkspaceText['kind'],
  name: string,
  result: TextOrError | undefined,
  most: number,
): readonly WorkspaceText[] {
  if (!result || 'error' in result) return []
  const { text } = result
  if (text.length <= most) return [{ kind, name, text }]
  const start = text.slice(0, most).replace(/[\ud800-\udbff]$/, '')
  return [{ kind, name, text: `${start}\n[The rest is left out here.]` }]
}
