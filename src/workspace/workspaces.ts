import { mkdirSync } from 'node:fs'
import { isLocalOwner, may, type Actor } from '../contract/actor.ts'
import { auditRecord, type AuditMetadata, type AuditRecord } from '../contract/audit.ts'
import { need } from '../contract/need.ts'
import { Problem, invalidField } from '../contract/problem.ts'
import { SYSTEM_WORKSPACE, USUAL_PROMPT, type UsableFolder, type Workspace } from '../contract/workspace.ts'
import { canonicalJson } from '../lib/canonical-json.ts'
import type { Clock } from '../lib/clock.ts'
import { sha256 } from '../lib/hash.ts'
import { newId } from '../lib/id.ts'
import { claimOf, earlierResult, type AccountStore, type Claim } from '../store/index.ts'
import { checkWorkspaceInput, FIELDS, type WorkspaceChecks, type WorkspaceInput } from './check-input.ts'
import { proveShared, type SharedBy } from './shared-roots.ts'
import { createFolderRules, isFolder, type FolderOptions } from './folder-rules.ts'

export interface WorkspaceOptions extends WorkspaceChecks, Omit<FolderOptions, 'tenantOf' | 'isShared'> {
  /** set if several nodes work on the same files */
  readonly sharedBy?: SharedBy | undefined
  readonly clock: Clock
  /** Throws a Problem for what a workspace could not add to its conversations. */
  checkContext(actor: Actor, workspace: Workspace, changes: WorkspaceInput): Promise<void>
}

/** Workspaces are visible to everybody in their tenant and nobody else. */
export interface Workspaces {
  create(actor: Actor, wanted: WorkspaceInput, once?: string): Promise<Workspace>
  get(actor: Actor, id: string): Promise<Workspace>
  list(actor: Actor): Promise<Workspace[]>
  change(actor: Actor, id: string, changes: WorkspaceInput): Promise<Workspace>
  /** For rounds: the workspace of a session, without a permission check. */
  of(tenant: string, id: string): Promise<Workspace>
  /** For rounds: its folder, if it may be used now. */
  folder(tenant: string, id: string): Promise<UsableFolder>
}

export const MANAGE = 'workspace:manage'

/** Defaults of a workspace. */
const PLAIN: Omit<Workspace, 'id' | 'tenant' | 'folder'> = {
  name: 'System',
  folderByOwner: false,
  instructions: '',
  instructionsBy: null,
  instructionsTrusted: true,
  models: [],
  mcpServers: [],
  files: [],
  dynamicContext: [],
  promptSettings: USUAL_PROMPT,
  createdAt: 0,
  updatedAt: 0,
}

export function createWorkspaces(store: AccountStore, options: WorkspaceOptions): Workspaces {
  const { clock } = options
  const systems = new Map<string, Workspace>()
  const rules = createFolderRules({
    ...options,
    isShared: options.sharedBy && proveShared(store, clock, options.sharedBy),
    tenantOf: async (id) => (await store.workspace(id))?.tenant,
  })

  function system(tenant: string): Workspace {
    let found = systems.get(tenant)
    if (!found) {
      const folder = rules.rootOf(tenant)
      makeFolder(folder)
      systems.set(tenant, (found = { ...PLAIN, id: SYSTEM_WORKSPACE, tenant, folder }))
    }
    return found
  }

  async function of(tenant: string, id: string): Promise<Workspace> {
    if (id === SYSTEM_WORKSPACE) return system(tenant)
    const found = await store.workspace(id)
    if (!found || found.tenant !== tenant)
      throw new Problem('NOT_FOUND', `There is no workspace ${id}.`, { field: 'workspaceId' })
    return found
  }

  /** The real path of a folder somebody names; only the machine's owner learns what is on the disk. */
  async function checkedFolder(actor: Actor, id: string, folder: string): Promise<string> {
    const folderByOwner = isLocalOwner(actor)
    const found = await rules.find({ id, tenant: actor.tenant, folder, folderByOwner })
    if ('path' in found && (await isFolder(found.path))) return found.path
    if (folderByOwner)
      throw invalidField(
        'folder',
        'must be the full path of a folder on this machine that is neither of Segno (SEGNO_HOME), nor of the system, nor of another tenant (SEGNO_FOLDER_ROOTS)',
      )
    const roots = rules.rootsOf(actor.tenant).join(', ')
    throw invalidField(
      'folder',
      `must be the full path of a folder that exists under a root of your tenant: ${roots} (SEGNO_FOLDER_ROOTS names more)`,
    )
  }

  /** Who set the folder and the instructions. */
  function authorship(actor: Actor, { folder, instructions }: WorkspaceInput) {
    return {
      ...(folder !== undefined && { folderByOwner: isLocalOwner(actor) }),
      ...(instructions !== undefined && { instructionsBy: actor.id, instructionsTrusted: may(actor, MANAGE) }),
    }
  }

  /** One record per field that was set, with a hash of its value. */
  function recordsOf(actor: Actor, workspaceId: string, set: WorkspaceInput): AuditRecord[] {
    const record = (more: AuditMetadata): AuditRecord => {
      const subject = { id: newId(), at: clock.now(), userId: actor.id, tenant: actor.tenant }
      return auditRecord('workspace_changed', subject, { workspaceId, ...more })
    }
    const records = FIELDS.flatMap((field) => {
      const value = set[field]
      return value === undefined ? [] : [record({ field, valueHash: sha256(canonicalJson(value)) })]
    })
    return records.length === 0 ? [record({})] : records
  }

  async function put(actor: Actor, workspace: Workspace, claim?: Claim): Promise<Workspace> {
    const audit = recordsOf(actor, workspace.id, workspace)
    const stored = await store.putWorkspace(workspace, { audit, ...(claim && { claim }) })
    if (stored === 'stored') return workspace
    return of(workspace.tenant, earlierResult<{ id: string }>(stored.claim, claim).id)
  }

  return {
    of,
    folder: async (tenant, id) => rules.usable(await of(tenant, id)),
    async create(actor, wanted, once) {
      need(actor, MANAGE)
      checkWorkspaceInput(actor, wanted, options)
      for (const field of ['files', 'dynamicContext'] as const)
        if ((wanted[field] ?? []).length > 0)
          throw invalidField(field, 'can be set once the workspace is there, because what it may be depends on that')
      const id = newId()
      const { name = 'New workspace', instructions = '', models = [], mcpServers = [] } = wanted
      const folder =
        wanted.folder === undefined ? rules.defaultFolder(id) : await checkedFolder(actor, id, wanted.folder)
      const now = clock.now()
      const { tenant } = actor
      const promptSettings = { ...USUAL_PROMPT, ...wanted.promptSettings }
      const given = { name, folder, instructions, models, mcpServers, promptSettings, instructionsBy: actor.id }
      const workspace = { ...PLAIN, id, tenant, createdAt: now, updatedAt: now, ...given, ...authorship(actor, wanted) }
      const made = await put(actor, workspace, claimOf('workspace', actor, once, wanted, { id }))
      if (wanted.folder === undefined) makeFolder(made.folder)
      return made
    },
    async get(actor, id) {
      need(actor, 'chat:read')
      return of(actor.tenant, id)
    },
    async list(actor) {
      need(actor, 'chat:read')
      return [system(actor.tenant), ...(await store.workspaces(actor.tenant))]
    },
    async change(actor, id, changes) {
      need(actor, MANAGE)
      const before = await of(actor.tenant, id)
      if (id === SYSTEM_WORKSPACE)
        throw new Problem('CONFLICT', 'The system workspace cannot be changed; make another one.')
      checkWorkspaceInput(actor, changes, options)
      await options.checkContext(actor, before, changes)
      const { folder, promptSettings, ...rest } = changes
      const set = {
        ...rest,
        ...(folder !== undefined && { folder: await checkedFolder(actor, id, folder) }),
        ...(promptSettings !== undefined && { promptSettings: { ...USUAL_PROMPT, ...promptSettings } }),
      }
      const wanted = { ...set, ...authorship(actor, changes) }
      const changed = await store.changeWorkspace(id, wanted, clock.now(), recordsOf(actor, id, set))
      return changed ?? of(actor.tenant, id)
    },
  }
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch (cause) {
    const why = (cause as Error).message
    throw new Problem('STORE_UNAVAILABLE', `Cannot make the folder ${folder} for files: ${why}. Choose another one.`, {
      cause,
    })
  }
}
