import type { Command } from 'commander'
import type { JobView } from '../../../contract/job.ts'
import { visible } from '../../../lib/visible.ts'
import { common, type Cli, type Common } from '../cli.ts'
import { allPages, nothingIn } from '../read-answer.ts'
import type { Wire } from '../wire.ts'

export function jobsTopic(segno: Command, { looking }: Cli): void {
  const jobs = segno.command('jobs').description('work that is stored and done later')
  common(jobs.command('ls').description('list it, oldest first'), 'segno jobs ls --state parked')
    .option('--state <state>', 'only waiting, or only parked: not tried any more')
    .action((flags: Common & { state?: string }) =>
      looking(flags, async (reached) => {
        const query = flags.state === undefined ? '' : `state=${encodeURIComponent(flags.state)}`
        const items = await allPages<Wire<JobView>>(reached, `/api/jobs?${query}`)
        if (flags.json) return JSON.stringify(items)
        return items.length === 0 ? 'There are no such jobs.' : items.map(jobText).join('\n')
      }),
    )
  common(jobs.command('retry <id>').description('have a parked one tried again'), 'segno jobs retry 7').action(
    (id: string, flags: Common) =>
      looking(flags, async ({ ask }) => {
        nothingIn(await ask('POST', `/api/jobs/${encodeURIComponent(id)}/retry`))
        return flags.json ? JSON.stringify({ id: Number(id) }) : 'It is tried again, now or when Segno is started.'
      }),
  )
}

function jobText({ id, kind, state, attempts, runAt, parkedAt, reason }: Wire<JobView>): string {
  const what = `${id}  ${visible(kind)}`
  if (state === 'waiting') return `${what}  waiting, due ${runAt}, begun ${attempts} times`
  return `${what}  parked ${parkedAt}, begun ${attempts} times: ${reason}\n  segno jobs retry ${id}`
}
