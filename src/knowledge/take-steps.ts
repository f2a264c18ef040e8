import type { Actor } from '../contract/actor.ts'
import type { GovernedPrompt } from '../contract/governed-prompt.ts'
import { need } from '../contract/need.ts'
import { Problem } from '../contract/problem.ts'
import { reasonOf, type StepInput } from './check-prompt.ts'
import { isSelfApproval, type FourEyes } from './four-eyes.ts'
import { checkStep, STEPS, type StepName } from './prompt-steps.ts'
import { changedMeanwhile, type StoredPrompts } from './stored-prompts.ts'

export interface StepOptions extends FourEyes {
  /** of an active prompt */
  readonly mostTokens: number
}

type TakeStep = (actor: Actor, id: string, given?: StepInput) => Promise<GovernedPrompt>
export type Steps = Readonly<Record<StepName, TakeStep>>

export function takeSteps(stored: StoredPrompts, options: StepOptions): Steps {
  function step(
    name: StepName,
    finish: (actor: Actor, prompt: GovernedPrompt, reason: string | null) => Promise<GovernedPrompt>,
  ): TakeStep {
    return async (actor, id, given) => {
      need(actor, STEPS[name].needs)
      const reason = reasonOf(given, name === 'reject')
      const prompt = await stored.get(actor.tenant, id)
      checkStep(name, prompt.status)
      if ((given?.revision ?? prompt.revision) !== prompt.revision) throw changedMeanwhile()
      return finish(actor, prompt, reason)
    }
  }

  return {
    submit: step('submit', (actor, prompt, reason) =>
      stored.change('prompt_submitted', actor, prompt, { status: 'pending_review', reason }),
    ),
    approve: step('approve', async (actor, prompt, reason) => {
      const selfApproved = await isSelfApproval(actor, prompt, options)
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

function checkTokens({ tokens }: GovernedPrompt, most: number): void {
  if (tokens <= most) return
  const why = `It has ${tokens} tokens, and an active prompt may have ${most} (limit SYSTEM_TOKENS)`
  throw new Problem('TOKEN_LIMIT', `${why}. Make a shorter version of it.`)
}
