import type { Delivery } from '../../../../src/client/index.ts'
import { Problem, useAttempt } from '../../parts/attempt.tsx'
import { Button } from '../../parts/button.tsx'
import { ago, moment, timeOf } from '../../parts/format.ts'
import { VisibleText } from '../../text/visible-text.tsx'
import { Nothing, PolledList } from '../list-states.tsx'
import { usePages } from '../pager.tsx'
import { State } from '../parts.tsx'
import { Table, type Column } from '../table.tsx'
import { api, RUNS, thenRefresh } from './automation.ts'

const COLUMNS: readonly Column<Delivery>[] = [
  ['When', ({ createdAt }) => <span title={moment(createdAt)}>{ago(createdAt)}</span>],
  ['Event', ({ event }) => <VisibleText text={event} />, 'op-wide'],
  ['Status', (delivery) => <DeliveryState {...delivery} />, 'op-wide'],
  ['Attempts', ({ attempts }) => attempts, 'op-number'],
  ['To do', (delivery) => <SendAgain delivery={delivery} />],
]

/** What a webhook was told, newest first. */
export function Deliveries({ webhookId }: { webhookId: string }) {
  const { list, pager } = usePages<Delivery>(`/api/webhooks/${encodeURIComponent(webhookId)}/deliveries?limit=20`, 3000)
  return (
    <section aria-label="Deliveries">
      <PolledList list={list} empty={<Nothing icon="clock">It was told nothing yet.</Nothing>}>
        {(items) => <Table columns={COLUMNS} items={items} keyOf={({ id }) => id} />}
      </PolledList>
      {pager}
    </section>
  )
}

function DeliveryState({ status, error, nextAt }: Delivery) {
  const [words, icon, tone] = RUNS[status]
  return (
    <>
      <State icon={icon} tone={tone}>
        {status === 'success' ? 'arrived' : words}
        {nextAt !== undefined && `, next attempt ${timeOf(nextAt)}`}
      </State>
      {error !== undefined && <VisibleText as="span" className="muted op-clamp" text={error} />}
    </>
  )
}

function SendAgain({ delivery: { id, status } }: { delivery: Delivery }) {
  const [problem, attempt] = useAttempt()
  if (status === 'success' || status === 'pending' || status === 'running') return null
  return (
    <>
      <Button icon="retry" onClick={() => void attempt(thenRefresh(api.sendAgain(id)))}>
        Send again
      </Button>
      <Problem text={problem} />
    </>
  )
}
