import { useEffect, useId, useState, type KeyboardEvent } from 'react'
import type { ListedModel, Page } from '../../../src/client/index.ts'
import { Problem, useAttempt } from '../parts/attempt.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Icon } from '../parts/icon.tsx'
import { isComposing } from '../parts/is-composing.ts'
import { RenameField } from '../parts/rename-field.tsx'
import type { Followed } from '../state/follow-session.ts'
import { useMe } from '../state/me.ts'
import { usePolled } from '../state/polled.ts'
import { usePreferences } from '../state/preferences.ts'
import { goTo } from '../state/route.ts'
import { visibleText } from '../text/visible.ts'
import { commandsIn, type Command } from './commands.ts'
import { matchWords } from './match-words.ts'
import { changeSession } from './session-actions.ts'
import { useSessionList } from './session-list-state.ts'

const MOST_SESSIONS = 8

/** Type what you want, choose with the arrow keys, Enter does it. */
export function PaletteDialog({ followed, onClose }: { followed: Followed | undefined; onClose: () => void }) {
  const [typed, setTyped] = useState('')
  const [chosen, choose] = useState(0)
  const [isRenaming, setRenaming] = useState(false)
  const [problem, attempt] = useAttempt()
  const [isDue, setDue] = useState(false)
  const listId = useId()
  const { groups, isFresh } = useGroups(typed, followed)
  const all = groups.flatMap(({ commands }) => commands)
  const at = Math.min(chosen, all.length - 1)
  const session = followed?.session

  useEffect(() => {
    document.getElementById(`${listId}-${at}`)?.scrollIntoView({ block: 'nearest' })
  }, [at, listId])

  const finish = (work: Promise<unknown> | void): void => void attempt(work).then((isDone) => isDone && onClose())
  const run = (command: Command | undefined): void => {
    if (command?.run === 'rename') setRenaming(true)
    else if (command) finish(command.run())
  }
  useEffect(() => {
    if (!isDue || !isFresh) return
    setDue(false)
    run(all[0])
    // oxlint-disable-next-line react/exhaustive-deps
  }, [isDue, isFresh])

  const onKeyDown = (event: KeyboardEvent): void => {
    const place = { ArrowDown: at + 1, ArrowUp: at - 1, PageDown: at + 8, PageUp: at - 8 }[event.key]
    if (isComposing(event)) return
    if (place !== undefined) choose(Math.max(0, Math.min(all.length - 1, place)))
    // Enter before the search has answered runs the first result once it is there.
    else if (event.key === 'Enter' && all.length === 0 && !isFresh) setDue(true)
    else if (event.key === 'Enter') run(all[at])
    else return
    event.preventDefault()
  }

  if (isRenaming && session)
    return (
      <Dialog title="Rename this conversation" onClose={onClose}>
        <RenameField
          label="New title"
          title={session.title}
          onDone={(title) => finish(title === undefined ? undefined : changeSession(session.id, { title }))}
        />
        <Problem text={problem} />
      </Dialog>
    )
  return (
    <Dialog title="Go to or do anything" onClose={onClose}>
      <input
        className="input"
        role="combobox"
        aria-label="What to go to or do"
        aria-expanded="true"
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={all.length > 0 ? `${listId}-${at}` : undefined}
        placeholder="A conversation, an action, a model…"
        autoComplete="off"
        spellCheck={false}
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value)
          setDue(false)
          choose(0)
        }}
        onKeyDown={onKeyDown}
      />
      <Problem text={problem} />
      <div role="listbox" id={listId} aria-label="Results" className="side-palette">
        {groups.map(({ name, commands, first }) => (
          <div role="group" key={name} aria-label={name}>
            <div className="side-day" aria-hidden="true">
              {name}
            </div>
            {commands.map((command, index) => (
              <Option
                key={`${command.label} ${index}`}
                id={`${listId}-${first + index}`}
                command={command}
                isChosen={first + index === at}
                onChoose={() => run(command)}
              />
            ))}
          </div>
        ))}
      </div>
      {all.length === 0 && isFresh && <p className="side-note">Nothing was found.</p>}
    </Dialog>
  )
}

interface OptionProps {
  readonly id: string
  readonly command: Command
  readonly isChosen: boolean
  readonly onChoose: () => void
}

function Option({ id, command, isChosen, onChoose }: OptionProps) {
  return (
    <div role="option" id={id} aria-selected={isChosen} className="entry side-option" onClick={onChoose}>
      <Icon name={command.icon} />
      <span className="side-title ellipsis">{command.label}</span>
      {command.note !== undefined && <small>{command.note}</small>}
    </div>
  )
}

interface Group {
  readonly name: string
  readonly commands: readonly Command[]
  /** the place of its first command among all */
  readonly first: number
}

/** `isFresh`: the server has answered for exactly what was typed. */
function useGroups(typed: string, followed: Followed | undefined): { groups: Group[]; isFresh: boolean } {
  const [search, setSearch] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setSearch(typed.trim()), 120)
    return () => clearTimeout(timer)
  }, [typed])
  const me = useMe()
  const preferences = usePreferences()
  const models = usePolled<Page<ListedModel>>('/api/models', 30_000).value?.items ?? []
  const { items, isStale } = useSessionList(search, false)
  const isFresh = search === typed.trim() && !isStale
  const found = items.map(({ id, title }): Command => ({
    label: visibleText(title),
    icon: 'right',
    run: () => goTo({ page: 'session', id }),
  }))
  // Until the server has answered, filter what is already loaded.
  const conversations = (isFresh ? found : matchWords(found, typed.trim())).slice(0, MOST_SESSIONS)
  const actions = matchWords(commandsIn({ me, models, followed, preferences }), typed.trim())
  const groups = [
    { name: typed.trim() === '' ? 'Latest conversations' : 'Conversations', commands: conversations },
    { name: 'Actions', commands: actions },
  ]
  // A search that matches an action most likely means the action.
  if (typed.trim() !== '') groups.reverse()
  let first = 0
  const placed = groups.flatMap((group) => {
    if (group.commands.length === 0) return []
    const at = first
    first += group.commands.length
    return [{ ...group, first: at }]
  })
  return { groups: placed, isFresh }
}
