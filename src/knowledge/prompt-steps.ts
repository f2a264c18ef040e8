import type { GovernedPrompt, PromptStatus } from '../contract/governed-prompt.ts'
import { Problem } from '../contract/problem.ts'
import { isSelfApproval, type FourEyes } from './four-eyes.ts'
import { possibleNext, stepsOf, type Step, type TakeStep } from './steps.ts'
import type { StoredPrompts } from './stored-prompts.ts'

/** A deprecated prompt was approved before, so it may come back. */
const STEPS = {
  submit: { needs: 'prompt:write', from: ['draft'] },
  approve: { needs: 'prompt:review', from: ['pending_review'] },
  reject: { needs: 'prompt:review', from: ['pending_review'] },
  activate: { needs: 'prompt:publish', from: ['approved', 'deprecated'] },
  deprecate: { needs: 'prompt:publish', from: ['active'] },
} as const satisfies Record<string, Step & { readonly from: readonly PromptStatus[] }>

export interface StepOptions extends FourEyes {
  /** of an active prompt */
  readonly mostTokens: number
}

export type PromptSteps = Readonly<Record<keyof typeof STEPS, TakeStep<GovernedPrompt>>>

export function promptSteps(stored: StoredPrompts, options: StepOptions): PromptSteps {
  const step = stepsOf<GovernedPrompt, keyof typeof STEPS>('prompt', STEPS, stored.get)
  return {
    submit: step('submit', (actor, prompt, reason) =>
      stored.change('prompt_submitted', actor, prompt, { status: 'pending_review', reason }),
    ),
    approve: step('approve', async (actor, prompt, reason) => {
      const selfApproved = await isSelfApproval(actor, prompt, options, 'prompt', STEPS.approve.needs)
      const changes = { status: 'approved', reviewer: actor.id, selfApproved, reason } as const
      return stored.change('prompt_approved', actor, prompt, changes)
    }),
    reject: step('reject', (actor, prompt, reason) =>
      stored.change('prompt_rejected', actor, prompt, { status: 'draft', reason }),
    ),
    activate: step('activate', async (actor, prompt, reason) => {
      checkTokens(prompt, options.mostTokens)
      return stored.activate(actor, prompt, reason)
    }),
    deprecate: step('deprecate', (actor, prompt, reason) =>
      stored.change('prompt_deprecated', actor, prompt, { status: 'deprecated', reason }),
    ),
  }
}

export function checkIsDraft(status: PromptStatus): void {
  if (status === 'draft') return
  const instead = 'to change its words, make a new version with the same name'
  const next = possibleNext('prompt', STEPS, { status })
  throw new Problem('CONFLICT', `It is ${status}, and only a draft can be edited; ${instead}. ${next}`)
}

function checkTokens({ tokens }: GovernedPrompt, most: number): void {
  if (tokens <= most) return
  const why = `It has ${tokens} tokens, and an active prompt may have ${most} (limit SYSTEM_TOKENS)`
  throw new Problem('TOKEN_LIMIT', `${why}. Make a shorter version of it.`)
}
