import { existsSync, mkdirSync, realpathSync, statSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { may, type Actor } from '../contract/actor.ts'
import { auditRecord, type AuditRecord } from '../contract/audit.ts'
import { need } from '../contract/need.ts'
import { Problem } from '../contract/problem.ts'
import { SYSTEM_WORKSPACE, type Workspace } from '../contract/workspace.ts'
import { canonicalJson } from '../lib/canonical-json.ts'
import type { Clock } from '../lib/clock.ts'
import { sha256 } from '../lib/hash.ts'
import { newId } from '../lib/id.ts'
import type { Claim, Store } from '../store/index.ts'

export interface WorkspaceWish {
  readonly name?: string
  readonly folder?: string
  readonly instructions?: string
  readonly models?: readonly string[]
  readonly mcpServers?: readonly string[]
}

export interface WorkspaceOptions {
  readonly home: string
  /** the folder of the system workspace of the local tenant */
  readonly folder: string
  readonly clock: Clock
  /** Throws a Problem for a model nobody knows. */
  checkModel(key: string): void
  /** names of the MCP servers that are set up */
  readonly mcpServers: readonly string[]
}

/** Workspaces belong to a tenant: everybody in it sees them, nobody else does. */
export interface Workspaces {
  create(actor: Actor, wanted: WorkspaceWish, once?: string): Promise<Workspace>
  get(actor: Actor, id: string): Promise<Workspace>
  list(actor: Actor): Promise<Workspace[]>
  change(actor: Actor, id: string, changes: WorkspaceWish): Promise<Workspace>
  /** For rounds: the workspace of a session, whoever asks. */
  of(tenant: string, id: string): Promise<Workspace>
}

const INSTRUCTION_CHARS = 2000

export function createWorkspaces(store: Store, options: WorkspaceOptions): Workspaces {
  const { clock } = options
  const systems = new Map<string, Workspace>()

  function system(tenant: string): Workspace {
    let found = systems.get(tenant)
    if (!found) {
      const folder = tenant === 'local' ? options.folder : join(options.home, 'tenants', sha256(tenant).slice(0, 32))
      makeFolder(folder)
      const id = SYSTEM_WORKSPACE
      found = {
        id,
        tenant,
        name: 'System',
        folder,
        instructions: '',
        models: [],
        mcpServers: [],
        createdAt: 0,
        updatedAt: 0,
      }
      systems.set(tenant, found)
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

  function check(actor: Actor, { name, folder, instructions, models, mcpServers }: WorkspaceWish): void {
    if (name !== undefined && (name.trim() === '' || name.length > 200 || !name.isWellFormed()))
      throw bad('name', 'must have 1 to 200 characters')
    if (instructions !== undefined && (instructions.length > INSTRUCTION_CHARS || !instructions.isWellFormed()))
      throw bad('instructions', `may have ${INSTRUCTION_CHARS} characters`)
    for (const model of models ?? []) options.checkModel(model)
    for (const server of mcpServers ?? [])
      if (!options.mcpServers.includes(server))
        throw bad(
          'mcpServers',
          `has "${server}", expected names of SEGNO_MCP: ${options.mcpServers.join(', ') || 'none'}`,
        )
    if (mcpServers !== undefined && !may(actor, 'tool:manage'))
      throw new Problem('PERMISSION_DENIED', 'Only who may manage tools chooses the servers of them (tool:manage).')
    if (folder === undefined) return
    if (!may(actor, 'tool:manage'))
      throw new Problem(
        'PERMISSION_DENIED',
        'Only who may manage tools chooses the folder they may touch (tool:manage).',
      )
    if (!isAbsolute(folder) || !existsSync(folder) || !statSync(folder).isDirectory())
      throw bad('folder', 'must be the full path of a folder that exists on the machine Segno runs on')
  }

  function recordOf(actor: Actor, workspaceId: string): AuditRecord {
    const subject = { id: newId(), at: clock.now(), userId: actor.id, tenant: actor.tenant }
    return auditRecord('workspace_changed', subject, { workspaceId })
  }

  async function put(actor: Actor, workspace: Workspace, claim?: Claim): Promise<Workspace> {
    const audit = [recordOf(actor, workspace.id)]
    const stored = await store.putWorkspace(workspace, { audit, ...(claim && { claim }) })
    if (stored === 'stored') return workspace
    if (stored.claim.hash !== claim?.hash)
      throw new Problem('IDEMPOTENCY_MISMATCH', 'This Idempotency-Key was used for another request.')
    return of(workspace.tenant, (stored.claim.result as { id: string }).id)
  }

  return {
    of,
    async create(actor, wanted, once) {
      need(actor, 'chat:write')
      check(actor, wanted)
      const id = newId()
      const { name = 'New workspace', instructions = '', models = [], mcpServers = [] } = wanted
      const folder = wanted.folder === undefined ? join(options.home, 'workspaces', id) : realpathSync(wanted.folder)
      const now = clock.now()
      const { tenant } = actor
      const workspace = { id, tenant, name, folder, instructions, models, mcpServers, createdAt: now, updatedAt: now }
      const made = await put(
        actor,
        workspace,
        once === undefined
          ? undefined
          : {
              key: `workspace:${tenant}:${actor.id}:${once}`,
              hash: sha256(canonicalJson(wanted)),
              result: { id },
            },
      )
      makeFolder(made.folder)
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
      need(actor, 'chat:read')
      need(actor, 'chat:write')
      await of(actor.tenant, id)
      if (id === SYSTEM_WORKSPACE)
        throw new Problem('CONFLICT', 'The system workspace cannot be changed; make another one.')
      check(actor, changes)
      const { folder } = changes
      const wanted = { ...changes, ...(folder !== undefined && { folder: realpathSync(folder) }) }
      const changed = await store.changeWorkspace(id, wanted, clock.now(), [recordOf(actor, id)])
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

function bad(field: string, what: string): Problem {
  return new Problem('VALIDATION_ERROR', `${field} ${what}.`, { field })
}
