import type { ListedModel, MeView, Session } from '../../../src/client/index.ts'
import { client } from '../api/client.ts'
import { whenSure } from '../conversation/stopping.tsx'
import { attempt } from '../conversation/trouble.ts'
import { openInspector, type InspectorTab } from '../inspector/inspected.ts'
import { roundsIn } from '../log/session-log.ts'
import type { IconName } from '../parts/icon.tsx'
import { isOperator, may } from '../state/may.ts'
import type { Followed } from '../state/follow-session.ts'
import type { Preferences } from '../state/stored-preferences.ts'
import { prefer } from '../state/preferences.ts'
import { goTo } from '../state/route.ts'
import { visibleText } from '../text/visible.ts'
import { showPreferences } from './overlay.ts'
import { MEMORIES, SHARED_PAGES } from './pages.ts'
import { changeSession, compactSession, exportSession, forkSession } from './session-actions.ts'

/** Something to do, by name. */
export interface Command {
  readonly label: string
  readonly note?: string
  readonly icon: IconName
  /** An error is shown to the user. `rename` asks for a title first. */
  readonly run: 'rename' | (() => Promise<unknown> | void)
}

export interface Situation {
  readonly me: MeView | undefined
  readonly models: readonly ListedModel[]
  readonly followed: Followed | undefined
  readonly preferences: Preferences
}

const INSPECT: readonly (readonly [InspectorTab, words: string])[] = [
  ['round', 'the round'],
  ['prompt', 'what the model is sent'],
  ['usage', 'usage and cost'],
  ['events', 'the events'],
  ['forks', 'the forks'],
]
const OPERATOR = ['overview', 'rounds', 'approvals', 'unknown', 'tools', 'models', 'providers', 'jobs', 'audit']

/** Everything that can be done now, the most likely first. */
export function commandsIn(situation: Situation): Command[] {
  const { followed } = situation
  return [
    ...(followed?.session ? inSession(followed.session, followed, situation) : []),
    command('New conversation', 'plus', () => goTo({ page: 'new' })),
    ...ofPage(situation),
  ]
}

function inSession(session: Session, { log }: Followed, { models, me }: Situation): Command[] {
  const { id, archived } = session
  const open = roundsIn(log).findLast(({ state }) => state !== 'ended')
  const others = models.filter((model) => model.usable && model.key !== (session.model ?? me?.model))
  const protocol = (session.protocol ?? me?.protocol) === 'triggered' ? 'unified' : 'triggered'
  return [
    ...(open
      ? [command('Stop the round', 'stop', () => whenSure(open, () => void attempt(client.cancel(open.requestId))))]
      : []),
    command('Rename this conversation', 'edit', 'rename'),
    command('Fork here', 'fork', () => forkSession(id, log.last), `from event ${log.last}`),
    command('Summarise earlier messages', 'shorten', () => compactSession(id), 'for the assistant; the log stays'),
    command('Clear the context', 'cross', () => client.clearSession(id), 'the log stays'),
    command(archived ? 'Bring this conversation back' : 'Archive this conversation', 'archive', () =>
      changeSession(id, { archived: !archived }),
    ),
    command('Export as Markdown', 'download', () => exportSession(session, 'markdown')),
    command('Export as JSON lines', 'download', () => exportSession(session, 'jsonl')),
    ...INSPECT.map(([tab, words]) => command(`Inspect ${words}`, 'panel', () => openInspector(tab))),
    ...others.map(({ key }) =>
      command(`Switch model to ${visibleText(key)}`, 'tool', () => changeSession(id, { model: key })),
    ),
    command(`Switch protocol to ${protocol}`, 'tool', () => changeSession(id, { protocol })),
  ]
}

function ofPage({ me, followed, preferences: { outputs, inspector, sidebar, theme } }: Situation): Command[] {
  const inspect = command(inspector ? 'Close the inspector' : 'Open the inspector', 'panel', () =>
    prefer({ inspector: !inspector }),
  )
  return [
    ...(may(me, 'chat:read') ? [command('Preferences for every answer', 'edit', showPreferences)] : []),
    command(outputs ? 'Hide tool outputs' : 'Show tool outputs', 'tool', () => prefer({ outputs: !outputs })),
    ...(followed ? [inspect] : []),
    command(sidebar ? 'Close the sidebar' : 'Open the sidebar', 'menu', () => prefer({ sidebar: !sidebar })),
    ...(['system', 'light', 'dark'] as const)
      .filter((name) => name !== theme)
      .map((name) => command(`Theme: ${name}`, name === 'dark' ? 'moon' : 'sun', () => prefer({ theme: name }))),
    ...[...SHARED_PAGES, MEMORIES].flatMap(({ tab, title, icon, isFor }) =>
      isFor(me) ? [command(title, icon, () => goTo({ page: 'operator', tab }))] : [],
    ),
    ...(isOperator(me) ? OPERATOR : []).map((tab) =>
      command(`Operator: ${tab}`, 'chart', () => goTo({ page: 'operator', tab })),
    ),
  ]
}

const command = (label: string, icon: IconName, run: Command['run'], note?: string): Command => ({
  label,
  icon,
  run,
  ...(note !== undefined && { note }),
})
