import { client } from '../../api/client.ts'
import { newKey } from '../../conversation/unsent.ts'
import { refresh } from '../../state/polled.ts'
import { takeStepOf } from '../take-step.ts'
import type { Prompt, Step } from './prompt.ts'

const PROMPTS = '/api/prompts'

export const pathOf = (id: string): string => `${PROMPTS}/${encodeURIComponent(id)}`

export const takeStep = (seen: Prompt, step: Step, reason?: string): Promise<void> =>
  takeStepOf(PROMPTS, seen, step, reason)

export async function makePrompt(wanted: Pick<Prompt, 'workspaceId' | 'name' | 'content'>): Promise<Prompt> {
  const made = await client.requestJson<Prompt>('POST', PROMPTS, { body: wanted, idempotencyKey: newKey() })
  refresh(PROMPTS)
  return made
}

export async function changePrompt(id: string, body: Pick<Prompt, 'name' | 'content'>): Promise<void> {
  await client.requestJson('PATCH', pathOf(id), { body })
  refresh(PROMPTS)
}
