import type { Wire } from '../../../src/client/index.ts'
import type { JobView } from '../../../src/contract/job.ts'
import { client } from '../api/client.ts'
import { Problem, useAttempt } from '../parts/attempt.tsx'
import { Button } from '../parts/button.tsx'
import { ago, moment, roughly } from '../parts/format.ts'
import { refresh } from '../state/polled.ts'
import { VisibleText } from '../text/visible-text.tsx'
import { Nothing, PolledList } from './list-states.tsx'
import { usePages } from './pager.tsx'
import { Section, State } from './parts.tsx'
import { Table, type Column } from './table.tsx'

type Job = Wire<JobView>

const KINDS: Readonly<Record<string, string>> = {
  purge: 'erase a deleted conversation',
  title: 'find a title for a conversation',
  remember: 'remember what an answer noted',
}
const REASONS: Readonly<Record<string, string>> = {
  UNKNOWN_KIND: 'This version of Segno does not know this kind of work; a newer one wrote it.',
  NEVER_ENDED: 'It was begun again and again and never ended: it may be what stops the process.',
}

const what: Column<Job> = [
  'What',
  ({ id, kind }) => (
    <>
      <VisibleText text={KINDS[kind] ?? kind} /> <span className="muted">#{id}</span>
    </>
  ),
  'op-wide',
]
const attempts: Column<Job> = ['Begun', ({ attempts: often }) => (often === 1 ? 'once' : `${often} times`), 'op-number']

const PARKED: readonly Column<Job>[] = [
  what,
  ['Why it was put aside', ({ reason = '' }) => <Why reason={reason} />, 'op-wide'],
  attempts,
  ['Since', ({ parkedAt, runAt }) => <span title={moment(parkedAt ?? runAt)}>{ago(parkedAt ?? runAt)}</span>],
  ['To do', (job) => <TryAgain job={job} />],
]
const WAITING: readonly Column<Job>[] = [
  what,
  ['Due', ({ runAt }) => <span title={moment(runAt)}>{dueIn(runAt)}</span>],
  attempts,
]

/** Work that Segno does behind the scenes: what it gave up, and what is still to be done. */
export function Jobs() {
  const parked = usePages<Job>('/api/jobs?state=parked&limit=50', 5000)
  const waiting = usePages<Job>('/api/jobs?state=waiting&limit=50', 5000)
  return (
    <>
      <p className="op-lead muted">
        Work that has to be done whatever happens is stored first and done soon after. What fails too often is put aside
        here, until somebody has mended what was wrong.
      </p>
      <Section title="Put aside">
        <PolledList list={parked.list} empty={<Nothing>Nothing was put aside.</Nothing>}>
          {(items) => <Table columns={PARKED} items={items} keyOf={({ id }) => String(id)} />}
        </PolledList>
        {parked.pager}
      </Section>
      <Section title="Still to be done">
        <PolledList list={waiting.list} empty={<Nothing>Nothing waits.</Nothing>}>
          {(items) => <Table columns={WAITING} items={items} keyOf={({ id }) => String(id)} />}
        </PolledList>
        {waiting.pager}
      </Section>
    </>
  )
}

function Why({ reason }: { reason: string }) {
  return (
    <State icon="warn" tone="danger">
      <VisibleText text={REASONS[reason] ?? 'It failed too often. The last time with the error '} />
      {REASONS[reason] === undefined && <VisibleText as="code" text={reason || 'unknown'} />}
    </State>
  )
}

function TryAgain({ job: { id } }: { job: Job }) {
  const [problem, attempt] = useAttempt()
  const again = async (): Promise<void> => {
    await attempt(client.requestEmpty('POST', `/api/jobs/${id}/retry`))
    refresh('/api/jobs')
  }
  return (
    <>
      <Button icon="retry" onClick={() => void again()}>
        Try again
      </Button>
      <Problem text={problem} />
    </>
  )
}

const dueIn = (runAt: string): string => {
  const ms = Date.parse(runAt) - Date.now()
  return ms <= 0 ? 'now' : `in ${roughly(ms)}`
}
