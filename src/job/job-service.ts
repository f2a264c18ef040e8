import { OPERATOR, type Actor } from '../contract/actor.ts'
import { auditRecord } from '../contract/audit.ts'
import { checkLimit } from '../contract/check-limit.ts'
import type { JobView } from '../contract/job.ts'
import { need } from '../contract/need.ts'
import { Problem } from '../contract/problem.ts'
import type { Clock } from '../lib/clock.ts'
import { newId } from '../lib/id.ts'
import type { JobQuery, JobStore, Page } from '../store/index.ts'

/** Stored jobs, for operators. */
export interface JobService {
  /** Oldest first. */
  list(actor: Actor, query?: JobQuery): Promise<Page<JobView>>
  /** Tries a parked job again with zero attempts. */
  retry(actor: Actor, id: number): Promise<void>
}

export function createJobService(store: JobStore, clock: Clock): JobService {
  return {
    async list(actor, query) {
      need(actor, OPERATOR)
      checkLimit(query?.limit)
      return store.jobs(query)
    },
    async retry(actor, jobId) {
      need(actor, OPERATOR)
      const { id: userId, tenant } = actor
      const audit = [auditRecord('job_retried', { id: newId(), at: clock.now(), userId, tenant }, { jobId })]
      if (!(await store.unparkJob(jobId, clock.now(), audit)))
        throw new Problem('NOT_FOUND', `There is no parked job ${jobId}; segno jobs ls tells which there are.`)
    },
  }
}
