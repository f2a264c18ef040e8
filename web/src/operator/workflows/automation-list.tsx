import type {
  AutomationRoute,
  AutomationWire,
  MeView,
  Page,
  Workflow,
  WorkflowRun,
} from '../../../../src/client/index.ts'
import { Fold } from '../../parts/fold-button.tsx'
import { moment } from '../../parts/format.ts'
import { may } from '../../state/may.ts'
import { usePolled } from '../../state/polled.ts'
import { VisibleText } from '../../text/visible-text.tsx'
import { hrefWith } from '../filters.ts'
import { PolledList } from '../list-states.tsx'
import { usePages } from '../pager.tsx'
import { AddButton } from './add-button.tsx'
import { Actions } from './automation-actions.tsx'
import { Details, nameIn } from './automation-details.tsx'
import { Status } from './automation-state.tsx'
import { Deliveries } from './deliveries.tsx'
import { Empty } from './empty.tsx'
import { LastRun, useLastRuns } from './last-run.tsx'

const LEADS: Readonly<Record<AutomationRoute, string>> = {
  webhooks:
    'Addresses that are told of events, signed and tried again for a day. They get ids, types and sizes, and words only where that is switched on.',
  hooks: 'Addresses that others call, signed, to start something here. It runs as whoever made the hook.',
  triggers: 'An event starts a workflow, once for each event, as whoever made the trigger.',
  schedules:
    'What the clock starts, as whoever made it. After Segno was away only the latest missed time is made up for, if it is under an hour ago.',
}

/** Webhooks, hooks, triggers or schedules. */
export function AutomationList({ route, me }: { route: AutomationRoute; me: MeView }) {
  const { list, pager } = usePages<AutomationWire[AutomationRoute]>(`/api/${route}?limit=50`, 5000)
  const workflows = usePolled<Page<Workflow>>('/api/workflows?limit=200', 10_000).value?.items ?? []
  const runs = useLastRuns()
  const isWebhook = route === 'webhooks'
  return (
    <>
      <p className="op-lead muted">
        {LEADS[route]}{' '}
        {!isWebhook && may(me, 'audit:read') && (
          <a href={hrefWith('audit', { action: 'automation_skipped' })}>What was skipped, and why</a>
        )}
      </p>
      <div className="op-filters">
        <AddButton route={route} />
      </div>
      <PolledList list={list} empty={<Empty route={route} manages />}>
        {(items) => (
          <ul className="op-cards">
            {items.map((thing) => (
              <li key={thing.id} className="op-card">
                <h3>
                  <VisibleText as="span" className="op-break" text={nameIn(thing)} /> <Status {...thing} />
                </h3>
                <p>
                  <Details thing={thing} nameOf={(id) => workflows.find((one) => one.id === id)?.name ?? id} />
                </p>
                <p className="muted op-facts row wrap">
                  <Last run={runs.find(({ originId }) => originId === thing.id)} />
                  <span>
                    made by <VisibleText text={thing.createdBy} />, {moment(thing.createdAt)}
                  </span>
                </p>
                {isWebhook && (
                  <Fold head="Deliveries">
                    <Deliveries webhookId={thing.id} />
                  </Fold>
                )}
                <div className="op-actions">
                  <Actions route={route} thing={thing} name={nameIn(thing)} signs={isWebhook || route === 'hooks'} />
                </div>
              </li>
            ))}
          </ul>
        )}
      </PolledList>
      {pager}
    </>
  )
}

function Last({ run }: { run: WorkflowRun | undefined }) {
  if (!run) return null
  return (
    <span className="row wrap">
      last run <LastRun run={run} />
    </span>
  )
}
