import type { Command } from 'commander'
import type { Wire } from '../../../client/index.ts'
import type { JobView } from '../../../contract/job.ts'
import { visible } from '../../../lib/visible.ts'
import { listed, subcommand, type Answer, type Cli } from '../cli.ts'
import type { Reached } from '../reach.ts'

export function jobsTopic(segno: Command, { looking }: Cli): void {
  const jobs = segno.command('jobs').description('work that is stored and done later')
  subcommand(jobs, 'ls', 'list it, oldest first', 'segno jobs ls --state parked')
    .option('--state <state>', 'only waiting, or only parked: not tried any more')
    .action(looking(listJobs))
  subcommand(jobs, 'retry <id>', 'have a parked one tried again', 'segno jobs retry 7').action(looking(retryJob))
}

async function listJobs({ client }: Reached, { state }: { readonly state?: string }): Promise<Answer> {
  const query = state === undefined ? '' : `state=${encodeURIComponent(state)}`
  return listed(await client.listAll<Wire<JobView>>(`/api/jobs?${query}`), jobText, 'There are no such jobs.')
}

async function retryJob({ client }: Reached, id: string): Promise<Answer> {
  await client.requestEmpty('POST', `/api/jobs/${encodeURIComponent(id)}/retry`)
  return { json: { id: Number(id) }, text: 'It is tried again, now or when Segno is started.' }
}

function jobText({ id, kind, state, attempts, runAt, parkedAt, reason }: Wire<JobView>): string {
  const what = `${id}  ${visible(kind)}`
  if (state === 'waiting') return `${what}  waiting, due ${runAt}, begun ${attempts} times`
  return `${what}  parked ${parkedAt}, begun ${attempts} times: ${reason}\n  segno jobs retry ${id}`
}
