import { CopyButton } from '../../parts/copy-button.tsx'
import { Nothing } from '../list-states.tsx'
import type { Route } from './automation.ts'

const EMPTY: Readonly<Record<Route, readonly [words: string, command: string]>> = {
  workflows: [
    'No workflow is registered yet. Once one is, the assistant can start it like any tool.',
    'segno workflows add resize --file resize.json',
  ],
  webhooks: [
    'Nobody is told of events. A webhook hears of approvals, for example.',
    'segno webhooks add https://example.org/segno --event approval.requested',
  ],
  hooks: ['Nothing outside can start anything here.', 'segno hooks add orders --event order.paid'],
  triggers: ['No event starts a workflow.', 'segno triggers add order.paid --workflow resize'],
  schedules: ['Nothing is started by the clock.', 'segno schedules add "0 9 * * 1-5" --workflow resize'],
}

/** What to do where there is nothing yet. */
export function Empty({ route, manages }: { route: Route; manages: boolean }) {
  const [words, command] = EMPTY[route]
  return (
    <Nothing icon="play">
      {words}{' '}
      {manages ? (
        <>
          Add one here, or with <code>{command}</code> <CopyButton label="Copy the command" text={() => command} />
        </>
      ) : (
        'Whoever has the permission workflow:manage can register one.'
      )}
    </Nothing>
  )
}
