import type { PromptStatus } from '../contract/governed-prompt.ts'
import { Problem } from '../contract/problem.ts'

interface Step {
  readonly needs: `prompt:${string}`
  readonly from: readonly PromptStatus[]
}

/** Who may take a step, and from where; a deprecated prompt was approved before, so it may come back. */
export const STEPS = {
  submit: { needs: 'prompt:write', from: ['draft'] },
  approve: { needs: 'prompt:review', from: ['pending_review'] },
  reject: { needs: 'prompt:review', from: ['pending_review'] },
  activate: { needs: 'prompt:publish', from: ['approved', 'deprecated'] },
  deprecate: { needs: 'prompt:publish', from: ['active'] },
} as const satisfies Record<string, Step>

export type StepName = keyof typeof STEPS

export function checkStep(name: StepName, status: PromptStatus): void {
  const { from }: Step = STEPS[name]
  if (!from.includes(status))
    throw new Problem('CONFLICT', `It is ${status}, so you cannot ${name} it. ${possibleNext(status)}`)
}

export function checkIsDraft(status: PromptStatus): void {
  if (status === 'draft') return
  const instead = 'to change its words, make a new version with the same name'
  throw new Problem('CONFLICT', `It is ${status}, and only a draft can be edited; ${instead}. ${possibleNext(status)}`)
}

function possibleNext(status: PromptStatus): string {
  const steps = Object.entries<Step>(STEPS).flatMap(([name, { from }]) => (from.includes(status) ? [name] : []))
  return `Possible now: ${[...(status === 'draft' ? ['edit'] : []), ...steps].join(', ')}.`
}
