import type { AutomationRoute, AutomationWire } from '../../../../src/client/index.ts'
import { EVENT_TYPES, type Action } from '../../../../src/contract/automation.ts'
import { oneLine, timeOf } from '../../parts/format.ts'
import { hrefOf } from '../../state/route.ts'
import { VisibleText } from '../../text/visible-text.tsx'
import { hrefOfWorkflow } from './automation.ts'

type Any = AutomationWire[AutomationRoute]

const KNOWN_TYPES: readonly string[] = EVENT_TYPES

/** What people call it. */
export function nameIn(thing: Any): string {
  if ('url' in thing) return thing.url
  if ('name' in thing) return thing.name
  return 'cron' in thing ? thing.cron : thing.event
}

interface DetailsProps {
  readonly thing: Any
  readonly nameOf: (workflowId: string) => string
}

/** When it does what. */
export function Details({ thing, nameOf }: DetailsProps) {
  if ('url' in thing)
    return (
      <>
        Hears of <VisibleText text={thing.events.join(', ').replace('*', 'every event')} />
        {thing.content ? ', with words and arguments.' : ', without words.'}
      </>
    )
  if ('name' in thing)
    return (
      <>
        <VisibleText as="code" text={`POST /api/hooks/${thing.name}`} />
        <br />
        <Deed action={thing.action} nameOf={nameOf} />
      </>
    )
  if ('cron' in thing)
    return (
      <>
        <Deed action={actionOf(thing)} nameOf={nameOf} /> Times are those of <VisibleText text={thing.timeZone} />.
        {thing.nextAt !== undefined && thing.status === 'active' && ` Next by your clock: ${timeOf(thing.nextAt)}.`}
      </>
    )
  const needed = Object.entries(thing.filter).map(([path, value]) => `${path} is ${JSON.stringify(value)}`)
  return (
    <>
      <Deed action={{ does: 'workflow', workflowId: thing.workflowId }} nameOf={nameOf} />{' '}
      {needed.length > 0 && <VisibleText text={`Only if ${needed.join(' and ')}.`} />}
      {/* Whoever mistyped one of Segno's sees it here. */}
      {!KNOWN_TYPES.includes(thing.event) && ' The event is a name of your own.'}
    </>
  )
}

const actionOf = ({ workflowId, input, sessionId = '', content = '' }: AutomationWire['schedules']): Action =>
  workflowId === undefined
    ? { does: 'message', sessionId, content }
    : { does: 'workflow', workflowId, ...(input && { input }) }

function Deed({ action, nameOf }: { action: Action; nameOf: DetailsProps['nameOf'] }) {
  switch (action.does) {
    case 'workflow':
      return (
        <>
          Starts{' '}
          <a href={hrefOfWorkflow(action.workflowId)}>
            <VisibleText text={nameOf(action.workflowId)} />
          </a>
          {action.input && <VisibleText text={` with ${oneLine(JSON.stringify(action.input))}`} />}.
        </>
      )
    case 'event':
      return <VisibleText text={`Tells triggers and webhooks of ${action.type}.`} />
    case 'message':
      return (
        <>
          Says “<VisibleText text={oneLine(action.content)} />” in{' '}
          <a href={hrefOf({ page: 'session', id: action.sessionId })}>a conversation</a>.
        </>
      )
  }
}
