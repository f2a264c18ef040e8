import type { Actor } from '../contract/actor.ts'
import { checkLimit } from '../contract/check-limit.ts'
import type { GovernedPrompt } from '../contract/governed-prompt.ts'
import { refuseUnknownFields } from '../contract/known-fields.ts'
import { need } from '../contract/need.ts'
import { SYSTEM_WORKSPACE } from '../contract/workspace.ts'
import type { Clock } from '../lib/clock.ts'
import { newId } from '../lib/id.ts'
import { claimOf, earlierResult, type Page, type PromptQuery, type PromptStore } from '../store/index.ts'
import { checkPromptInput, type PromptInput } from './check-prompt.ts'
import { hasWritten } from './four-eyes.ts'
import { diffPrompts, type PromptDiff } from './prompt-diff.ts'
import { checkIsDraft, promptSteps, type PromptSteps, type StepOptions } from './prompt-steps.ts'
import { noPrompt, storedPrompts } from './stored-prompts.ts'

export interface PromptOptions extends StepOptions {
  readonly clock: Clock
  readonly promptChars: number
  countTokens(text: string): Promise<number>
  /** Throws a Problem if the actor has no such workspace. */
  workspace(actor: Actor, id: string): Promise<unknown>
}

interface NewPromptInput extends Required<PromptInput> {
  /** default: `system`, whose prompt counts where a workspace has none */
  readonly workspaceId?: string
}

/** System prompts, version by version; everybody in their tenant sees them and nobody else. */
export interface Prompts extends PromptSteps {
  create(actor: Actor, wanted: NewPromptInput, once?: string): Promise<GovernedPrompt>
  get(actor: Actor, id: string): Promise<GovernedPrompt>
  /** Newest first. */
  list(actor: Actor, query?: Omit<PromptQuery, 'tenant'>): Promise<Page<GovernedPrompt>>
  /** Only a draft can be changed. */
  change(actor: Actor, id: string, changes: PromptInput): Promise<GovernedPrompt>
  /** How `id` differs from `against`. */
  diff(actor: Actor, id: string, against: string): Promise<PromptDiff>
  /** For rounds: the active prompt of a workspace, else that of `system`; no permission is checked. */
  activeFor(tenant: string, workspaceId: string): Promise<GovernedPrompt | undefined>
  /** For rounds: a prompt in any status, for those who wrote words of it. */
  trial(user: Pick<Actor, 'id' | 'tenant'>, id: string): Promise<GovernedPrompt>
}

const READ = 'prompt:read'
const WRITE = 'prompt:write'

export function createPrompts(store: PromptStore, options: PromptOptions): Prompts {
  const { clock, promptChars, countTokens, workspace } = options
  const stored = storedPrompts(store, clock)

  return {
    ...promptSteps(stored, options),
    async create(actor, wanted, once) {
      need(actor, WRITE)
      refuseUnknownFields(wanted, ['workspaceId', 'name', 'content'], 'A prompt')
      const { workspaceId = SYSTEM_WORKSPACE, name, content } = wanted
      checkPromptInput({ name: name ?? '', content: content ?? '' }, promptChars)
      await workspace(actor, workspaceId)
      const tokens = await countTokens(content)
      const { id: author, tenant } = actor
      const draft = { id: newId(), tenant, workspaceId, name, content, author, tokens, createdAt: clock.now() }
      const claim = claimOf('prompt', actor, once, wanted, { id: draft.id })
      const audit = [stored.record('prompt_created', actor, draft)]
      const made = await store.putPrompt(draft, { audit, ...(claim && { claim }) })
      return 'kind' in made ? stored.get(tenant, earlierResult<{ id: string }>(made.claim, claim).id) : made
    },
    async get(actor, id) {
      need(actor, READ)
      return stored.get(actor.tenant, id)
    },
    async list(actor, query = {}) {
      need(actor, READ)
      checkLimit(query.limit)
      if (query.workspaceId !== undefined) await workspace(actor, query.workspaceId)
      return store.prompts({ ...query, tenant: actor.tenant })
    },
    async change(actor, id, changes) {
      need(actor, WRITE)
      refuseUnknownFields(changes, ['name', 'content'], 'A prompt')
      checkPromptInput(changes, promptChars)
      const prompt = await stored.get(actor.tenant, id)
      checkIsDraft(prompt.status)
      const { name = prompt.name, content = prompt.content } = changes
      const hasNewWords = content !== prompt.content
      const isNewEditor = hasNewWords && !hasWritten(actor.id, prompt)
      const set = {
        ...(name !== prompt.name && { name }),
        ...(hasNewWords && { content, tokens: await countTokens(content) }),
        ...(isNewEditor && { editors: [...prompt.editors, actor.id] }),
      }
      return Object.keys(set).length === 0 ? prompt : stored.change('prompt_changed', actor, prompt, set)
    },
    async diff(actor, id, against) {
      need(actor, READ)
      return diffPrompts(await stored.get(actor.tenant, against), await stored.get(actor.tenant, id))
    },
    async activeFor(tenant, workspaceId) {
      const own = await store.activePrompt(tenant, workspaceId)
      return own ?? (workspaceId === SYSTEM_WORKSPACE ? undefined : store.activePrompt(tenant, SYSTEM_WORKSPACE))
    },
    async trial({ id: userId, tenant }, id) {
      const prompt = await stored.get(tenant, id)
      if (!hasWritten(userId, prompt)) throw noPrompt(id)
      return prompt
    },
  }
}
