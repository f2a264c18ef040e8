import { LOCAL_OWNER } from '../../src/contract/actor.ts'
import type { Segno } from '../../src/segno.ts'
import { SENT } from './conditions.ts'
import { WORKFLOWS } from './ledger.ts'
import type { Life } from './plan.ts'

/** Whoever comes after a process that died has what it was handing over sooner. */
export const WORKFLOW_LIMITS = { WORKFLOW_MS: 5000, WORKFLOW_MAX_MS: 5000 }

/** One for each class that may be sent, where an episode of this life wants it; in each life the same. */
export async function registerWorkflows(segno: Segno, { home, ledger, steps }: Life): Promise<void> {
  if (!steps.some(({ episode }) => episode.by === 'workflow')) return
  for (const effect of SENT) {
    const wanted = {
      name: effect,
      description: `Does something ${effect}, and says later how it ended.`,
      engine: 'http',
      target: { url: `${ledger}${WORKFLOWS}${effect}/${encodeURIComponent(home)}` },
      input: { type: 'object', properties: { item: { type: 'string' } }, required: ['item'] },
      effect,
      approval: 'ask',
    } as const
    await segno.workflows.create(LOCAL_OWNER, wanted, `workflow ${effect}`)
  }
}
