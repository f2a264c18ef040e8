import type { MeView, Page } from '../../../../src/client/index.ts'
import { SYSTEM_WORKSPACE } from '../../../../src/contract/workspace.ts'
import { ago, moment } from '../../parts/format.ts'
import { Icon } from '../../parts/icon.tsx'
import { may } from '../../state/may.ts'
import { usePolled } from '../../state/polled.ts'
import { visibleText } from '../../text/visible.ts'
import { VisibleText } from '../../text/visible-text.tsx'
import { Choice } from '../field.tsx'
import { hrefWith, queryOf, type Filters, type PageProps } from '../filters.ts'
import { Nothing, PolledList } from '../list-states.tsx'
import { usePages } from '../pager.tsx'
import { Section } from '../parts.tsx'
import { Reviewer } from '../review-buttons.tsx'
import { Table, type Column } from '../table.tsx'
import { hrefOfPrompt, STATUS, titleOf, type Prompt } from './prompt.ts'
import { Status, Tokens } from './prompt-facts.tsx'
import { ReviewCard } from './review.tsx'
import { useWorkspaces } from '../use-workspaces.ts'

export const COLUMNS: readonly Column<Prompt>[] = [
  ['Prompt', (prompt) => <a href={hrefOfPrompt(prompt.id)}>{titleOf(prompt)}</a>, 'op-wide'],
  ['Status', (prompt) => <Status {...prompt} />, 'op-wide'],
  ['Author', ({ author }) => <VisibleText text={author} />],
  ['Reviewer', (prompt) => <Reviewer {...prompt} />],
  ['Tokens', (prompt) => <Tokens {...prompt} />, 'op-number'],
  ['Changed', ({ updatedAt }) => <span title={moment(updatedAt)}>{ago(updatedAt)}</span>, 'op-number'],
]

/** What waits for a review, whole; below it all versions by workspace, newest first. */
export function PromptList({ me, filters }: PageProps) {
  const { workspace = '', status = '' } = filters
  const workspaces = useWorkspaces('wherever there is no other')
  const path = `/api/prompts?${queryOf({ workspaceId: workspace, status, limit: '100' })}`
  const { list, pager } = usePages<Prompt>(path, 5000)
  const given = { tab: 'prompts', filters }
  const nameOf = (id: string): string => workspaces.find(([known]) => known === id)?.[1] ?? id
  return (
    <>
      <p className="op-lead muted">
        A system prompt tells the assistant how to behave in a workspace. Its words count once somebody else has
        approved them and it was made active; what was active before stays here and can come back.
      </p>
      <Queue me={me} />
      <div className="op-filters op-below">
        <Choice {...given} label="Workspace" name="workspace" options={[['', 'All workspaces'], ...workspaces]} />
        <Choice
          {...given}
          label="Status"
          name="status"
          options={[['', 'Any status'], ...Object.entries(STATUS).map(([name, [words]]) => [name, words] as const)]}
        />
        {may(me, 'prompt:write') && (
          <a className="button op-new" href={hrefWith('prompts', { make: workspace || SYSTEM_WORKSPACE })}>
            <Icon name="plus" />
            New prompt
          </a>
        )}
      </div>
      <PolledList list={list} empty={<NoPrompts filters={filters} />}>
        {(items) =>
          [...Map.groupBy(items, ({ workspaceId }) => workspaceId)].map(([id, prompts]) => (
            <Section key={id} title={visibleText(`Workspace ${nameOf(id)}`)}>
              <Table columns={COLUMNS} items={prompts} keyOf={(prompt) => prompt.id} />
            </Section>
          ))
        }
      </PolledList>
      {pager}
    </>
  )
}

function Queue({ me }: { me: MeView }) {
  const { value } = usePolled<Page<Prompt>>('/api/prompts?status=pending_review&limit=200', 5000)
  if (!value || value.items.length === 0) return null
  return (
    <Section title="Waits for review">
      <ul className="op-cards">
        {value.items.map((prompt) => (
          <ReviewCard key={prompt.id} prompt={prompt} me={me} />
        ))}
      </ul>
    </Section>
  )
}

function NoPrompts({ filters }: { filters: Filters }) {
  return Object.values(filters).some((value) => value !== '') ? (
    <Nothing icon="search">
      No prompt fits these filters. <a href={hrefWith('prompts')}>Show all</a>
    </Nothing>
  ) : (
    <Nothing icon="edit">
      There are none yet, so assistants get what the settings of this installation say. A prompt of your own begins as a
      draft.
    </Nothing>
  )
}
