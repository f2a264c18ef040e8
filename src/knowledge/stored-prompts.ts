import type { Actor } from '../contract/actor.ts'
import { auditRecord, type AuditAction, type AuditRecord } from '../contract/audit.ts'
import type { GovernedPrompt } from '../contract/governed-prompt.ts'
import { Problem } from '../contract/problem.ts'
import type { Clock } from '../lib/clock.ts'
import { sha256 } from '../lib/hash.ts'
import { newId } from '../lib/id.ts'
import type { PromptChanges, PromptStore } from '../store/index.ts'
import { orConflict } from './steps.ts'

type Recorded = Pick<GovernedPrompt, 'id' | 'workspaceId' | 'content'> & Partial<GovernedPrompt>
export type StoredPrompts = ReturnType<typeof storedPrompts>

/** Reading and changing prompts of one tenant; every change is recorded without the words. */
export function storedPrompts(store: PromptStore, clock: Clock) {
  function record(action: AuditAction, { id: userId, tenant }: Actor, prompt: Recorded): AuditRecord {
    const { id: promptId, workspaceId, content, version, selfApproved } = prompt
    const metadata = {
      promptId,
      workspaceId,
      valueHash: sha256(content),
      ...(version !== undefined && { promptVersion: version }),
      ...(selfApproved === true && { selfApproved }),
    }
    return auditRecord(action, { id: newId(), at: clock.now(), userId, tenant }, metadata)
  }

  return {
    record,
    async get(tenant: string, id: string): Promise<GovernedPrompt> {
      const found = await store.prompt(id)
      if (found?.tenant !== tenant) throw noPrompt(id)
      return found
    },
    async change(
      action: AuditAction,
      actor: Actor,
      prompt: GovernedPrompt,
      changes: PromptChanges,
    ): Promise<GovernedPrompt> {
      const { content = prompt.content, selfApproved } = changes
      const audit = [record(action, actor, { ...prompt, content, ...(selfApproved === true && { selfApproved }) })]
      return orConflict('prompt', await store.changePrompt(prompt.id, prompt.revision, changes, clock.now(), audit))
    },
    async activate(actor: Actor, prompt: GovernedPrompt, reason: string | null): Promise<GovernedPrompt> {
      const change = { at: clock.now(), ...(reason !== null && { reason }) }
      const audit = [record('prompt_activated', actor, prompt)]
      return orConflict('prompt', await store.activatePrompt(prompt.id, prompt.revision, change, audit))
    },
  }
}

export const noPrompt = (id: string): Problem => new Problem('NOT_FOUND', `There is no prompt ${id}.`)
