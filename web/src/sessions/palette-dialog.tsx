import { useEffect, useId, useState, type KeyboardEvent } from 'react'
import { wordsOf } from '../api/problem.ts'
import type { Model, Page } from '../api/shapes.ts'
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
import { focusFirst } from './focus-first.ts'
import { matchWords } from './match-words.ts'
import { changeSession } from './session-actions.ts'
import { useSessionList } from './session-list-state.ts'

const MOST_SESSIONS = 8

/** Type what you want, choose with the arrow keys, Enter does it. */
export function PaletteDialog({ followed, onClose }: { followed: Followed | undefined; onClose: () => void }) {
  const [typed, setTyped] = useState('')
  const [chosen, choose] = useState(0)
  const [isRenaming, setRenaming] = useState(false)
  const [problem, setProblem] = useState<string>()
  const [isDue, setDue] = useState(false)
  const listId = useId()
  const { groups, isFresh } = useGroups(typed, followed)
  const all = groups.flatMap(({ commands }) => commands)
  const at = Math.min(chosen, all.length - 1)
  const session = followed?.session

  useEffect(() => {
    document.getElementById(`${listId}-${at}`)?.scrollIntoView({ block: 'nearest' })
  }, [at, listId])

  const attempt = (work: Promise<unknown> | void): void => {
    Promise.resolve(work).then(onClose, (error: unknown) => setProblem(wordsOf(error)))
  }
  const run = (command: Command | undefined): void => {
    if (command?.run === 'rename') setRenaming(true)
    else if (command) attempt(command.run())
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
    // Who types fast and presses Enter means what will be found, not what was there before.
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
          onDone={(title) => attempt(title === undefined ? undefined : changeSession(session.id, { title }))}
        />
        <Trouble words={problem} />
      </Dialog>
    )
  return (
    <Dialog title="Go to or do anything" onClose={onClose}>
      <input
        ref={focusFirst}
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
      <Trouble words={problem} />
      <div role="listbox" id={listId} aria-label="What fits" className="side-palette">
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
      {all.length === 0 && isFresh && <p className="side-note">Nothing has that name.</p>}
    </Dialog>
  )
}

const Trouble = ({ words }: { words: string | undefined }) =>
  words === undefined ? null : (
    <p role="alert" className="side-alert">
      {words}
    </p>
  )

function Option({
  id,
  command,
  isChosen,
  onChoose,
}: {
  id: string
  command: Command
  isChosen: boolean
  onChoose: () => void
}) {
  return (
    <div role="option" id={id} aria-selected={isChosen} className="side-option" onClick={onChoose}>
      <Icon name={command.icon} />
      <span className="side-title">{command.label}</span>
      {command.note !== undefined && <small className="muted">{command.note}</small>}
    </div>
  )
}

interface Group {
  readonly name: string
  readonly commands: readonly Command[]
  /** the place of its first command among all */
  readonly first: number
}

/** `isFresh`: what is there is all that fits what was typed. */
function useGroups(typed: string, followed: Followed | undefined): { groups: Group[]; isFresh: boolean } {
  const [search, setSearch] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setSearch(typed.trim()), 120)
    return () => clearTimeout(timer)
  }, [typed])
  const me = useMe()
  const preferences = usePreferences()
  const models = usePolled<Page<Model>>('/api/models', 30_000).value?.items ?? []
  const { items, isStale } = useSessionList(search, false)
  const isFresh = search === typed.trim() && !isStale
  const found = items.map(({ id, title }): Command => ({
    label: visibleText(title),
    icon: 'right',
    run: () => goTo({ page: 'session', id }),
  }))
  // Until the server has said what fits, it is what fits of what is here.
  const conversations = (isFresh ? found : matchWords(found, typed.trim())).slice(0, MOST_SESSIONS)
  const actions = matchWords(commandsIn({ me, models, followed, preferences }), typed.trim())
  const groups = [
    { name: typed.trim() === '' ? 'Latest conversations' : 'Conversations', commands: conversations },
    { name: 'Actions', commands: actions },
  ]
  // What was typed is more likely to be the name of an action when there is one.
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
