import type { Me, Model, Session } from '../api/shapes.ts'
import { openInspector, type InspectorTab } from '../inspector/inspected.ts'
import type { IconName } from '../parts/icon.tsx'
import { may } from '../state/me.ts'
import type { Followed } from '../state/follow-session.ts'
import type { Preferences } from '../state/kept-preferences.ts'
import { prefer } from '../state/preferences.ts'
import { goTo } from '../state/route.ts'
import { visibleText } from '../text/visible.ts'
import { cancelRound, changeSession, clearContext, exportSession, forkSession } from './session-actions.ts'

/** Something to do, by name. */
export interface Command {
  readonly label: string
  readonly note?: string
  readonly icon: IconName
  /** What it resolves to does not matter; what it throws is told. `rename` asks for a title. */
  readonly run: 'rename' | (() => Promise<unknown> | void)
}

export interface Situation {
  readonly me: Me | undefined
  readonly models: readonly Model[]
  readonly followed: Followed | undefined
  readonly preferences: Preferences
}

const TABS: Readonly<Record<InspectorTab, string>> = {
  round: 'the round',
  prompt: 'what the model is sent',
  usage: 'usage and cost',
  events: 'the events',
  forks: 'the forks',
}
const OPERATOR = ['overview', 'rounds', 'approvals', 'unknown', 'tools', 'models', 'audit']

/** Everything that can be done in this situation, what is nearest first. */
export function commandsIn(situation: Situation): Command[] {
  const { followed } = situation
  return [
    ...(followed?.session ? inSession(followed.session, followed, situation) : []),
    { label: 'New conversation', icon: 'plus', run: () => goTo({ page: 'new' }) },
    ...ofPage(situation),
  ]
}

function inSession(session: Session, { log }: Followed, { models, me }: Situation): Command[] {
  const { id } = session
  const rounds = log.items.flatMap((item) => (item.kind === 'round' ? [item.round] : []))
  const open = rounds.findLast(({ state }) => state !== 'ended')
  const usable = models.filter((model) => model.usable && model.key !== (session.model ?? me?.model))
  const protocol = session.protocol ?? me?.protocol
  const other = protocol === 'triggered' ? 'unified' : 'triggered'
  return [
    ...(open ? [{ label: 'Stop the round', icon: 'stop', run: () => cancelRound(open.requestId) } as const] : []),
    { label: 'Rename this conversation', icon: 'edit', run: 'rename' },
    { label: 'Fork here', note: `from event ${log.last}`, icon: 'fork', run: () => forkSession(id, log.last) },
    { label: 'Clear the context', note: 'the log stays', icon: 'cross', run: () => clearContext(id) },
    {
      label: session.archived ? 'Bring this conversation back' : 'Archive this conversation',
      icon: 'archive',
      run: () => changeSession(id, { archived: !session.archived }),
    },
    { label: 'Export as Markdown', icon: 'download', run: () => exportSession(session, 'markdown') },
    { label: 'Export as JSON lines', icon: 'download', run: () => exportSession(session, 'jsonl') },
    ...(Object.keys(TABS) as InspectorTab[]).map(
      (tab) => ({ label: `Inspect ${TABS[tab]}`, icon: 'panel', run: () => openInspector(tab) }) as const,
    ),
    ...usable.map(
      ({ key }) =>
        ({
          label: `Switch model to ${visibleText(key)}`,
          icon: 'tool',
          run: () => changeSession(id, { model: key }),
        }) as const,
    ),
    {
      label: `Switch protocol to ${other}`,
      icon: 'tool',
      run: () => changeSession(id, { protocol: other }),
    },
  ]
}

function ofPage({ me, followed, preferences: { outputs, inspector, sidebar, theme } }: Situation): Command[] {
  const isOperator = may(me, 'audit:read') || may(me, 'user:read')
  return [
    {
      label: outputs ? 'Hide tool outputs' : 'Show tool outputs',
      icon: 'tool',
      run: () => prefer({ outputs: !outputs }),
    },
    ...(followed
      ? [
          {
            label: inspector ? 'Close the inspector' : 'Open the inspector',
            icon: 'panel',
            run: () => prefer({ inspector: !inspector }),
          } as const,
        ]
      : []),
    {
      label: sidebar ? 'Close the sidebar' : 'Open the sidebar',
      icon: 'menu',
      run: () => prefer({ sidebar: !sidebar }),
    },
    ...(['system', 'light', 'dark'] as const)
      .filter((name) => name !== theme)
      .map(
        (name) =>
          ({
            label: `Theme: ${name}`,
            icon: name === 'dark' ? 'moon' : 'sun',
            run: () => prefer({ theme: name }),
          }) as const,
      ),
    ...(isOperator
      ? OPERATOR.map(
          (tab) => ({ label: `Operator: ${tab}`, icon: 'chart', run: () => goTo({ page: 'operator', tab }) }) as const,
        )
      : []),
  ]
}
