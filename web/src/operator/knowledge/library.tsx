import type { MeView, Page } from '../../../../src/client/index.ts'
import { SYSTEM_WORKSPACE } from '../../../../src/contract/workspace.ts'
import { ago, bytes, count, moment } from '../../parts/format.ts'
import { may } from '../../state/may.ts'
import { usePolled } from '../../state/polled.ts'
import { VisibleText } from '../../text/visible-text.tsx'
import { Choice } from '../field.tsx'
import { hrefWith, queryOf, type Filters, type PageProps } from '../filters.ts'
import { Nothing, PolledList } from '../list-states.tsx'
import { usePages } from '../pager.tsx'
import { Section } from '../parts.tsx'
import { Table, type Column } from '../table.tsx'
import { nameIn, useWorkspaces } from '../use-workspaces.ts'
import { DOCUMENTS } from './document-api.ts'
import { Status } from './document-facts.tsx'
import { hrefOfDocument, STATUS, titleOf, type Doc } from './document.ts'
import { IndexState } from './index-state.tsx'
import { TrySearch } from './try-search.tsx'
import { UploadBox } from './upload-box.tsx'

const COLUMNS: readonly Column<Doc>[] = [
  ['Document', (doc) => <a href={hrefOfDocument(doc.id)}>{titleOf(doc)}</a>, 'op-wide'],
  ['Status', (doc) => <Status doc={doc} />, 'op-wide'],
  ['From', ({ source }) => (source === undefined ? '–' : <VisibleText text={source} />), 'op-wide'],
  ['Passages', ({ chunks }) => count(chunks), 'op-number'],
  ['Size', ({ bytes: size }) => bytes(size), 'op-number'],
  ['Changed', ({ updatedAt }) => <span title={moment(updatedAt)}>{ago(updatedAt)}</span>, 'op-number'],
]

/** All documents, what waits for a review, and a search to try. */
export function Library({ me, filters }: PageProps) {
  const { workspace = '', status = '' } = filters
  const workspaces = useWorkspaces('for everybody here')
  const { list, pager } = usePages<Doc>(
    `${DOCUMENTS}?${queryOf({ workspaceId: workspace, status, limit: '50' })}`,
    5000,
  )
  const given = { tab: 'knowledge', filters }
  // Where there are others, each says whose it is.
  const columns: typeof COLUMNS =
    workspaces.length > 1
      ? [...COLUMNS, ['Workspace', ({ workspaceId }) => nameIn(workspaces, workspaceId), 'op-wide']]
      : COLUMNS
  const whose = workspace === '' || workspace === SYSTEM_WORKSPACE ? 'everybody here' : nameIn(workspaces, workspace)
  const mayWrite = may(me, 'knowledge:write')
  const step = list.value?.items.length ? stepForAll(status, me) : undefined
  return (
    <>
      <p className="op-lead muted">
        What is published here is looked up for every message, and answers cite it. Each document is approved by
        somebody else first.
      </p>
      <IndexState />
      <div className="op-filters">
        <Choice {...given} label="Workspace" name="workspace" options={[['', 'All workspaces'], ...workspaces]} />
        <Choice
          {...given}
          label="Status"
          name="status"
          options={[['', 'Any status'], ...Object.entries(STATUS).map(([name, [words]]) => [name, words] as const)]}
        />
      </div>
      {mayWrite && (
        <UploadBox to={{ workspaceId: workspace || SYSTEM_WORKSPACE }} label="Upload files…">
          <span className="muted">
            or drop them here: Markdown, text, HTML, PDF, DOCX. They become drafts for {whose}.
          </span>
        </UploadBox>
      )}
      {status === '' && <Queue columns={columns} />}
      <TrySearch workspaces={workspaces} workspace={workspace} />
      <Section title="Documents">
        {step !== undefined && (
          <p className="muted">
            All at once: <code>{`segno knowledge ${step} --all${workspace && ` --workspace ${workspace}`}`}</code>
          </p>
        )}
        <PolledList list={list} empty={<NoDocuments filters={filters} mayWrite={mayWrite} />}>
          {(items) => <Table columns={columns} items={items} keyOf={({ id }) => id} />}
        </PolledList>
        {pager}
      </Section>
    </>
  )
}

/** What the command takes with all of a status; the page does it with one after the other. */
function stepForAll(status: string, me: MeView): string | undefined {
  if (status === 'draft' && may(me, 'knowledge:write')) return 'submit'
  return status === 'approved' && may(me, 'knowledge:publish') ? 'publish' : undefined
}

function Queue({ columns }: { columns: readonly Column<Doc>[] }) {
  const { value } = usePolled<Page<Doc>>(`${DOCUMENTS}?status=pending_review&limit=50`, 5000)
  if (!value || value.items.length === 0) return null
  return (
    <Section title="Waits for review">
      <Table columns={columns} items={value.items} keyOf={({ id }) => id} />
    </Section>
  )
}

function NoDocuments({ filters, mayWrite }: { filters: Filters; mayWrite: boolean }) {
  if (Object.values(filters).some((value) => value !== ''))
    return (
      <Nothing icon="search">
        No document fits these filters. <a href={hrefWith('knowledge')}>Show all</a>
      </Nothing>
    )
  return (
    <Nothing icon="archive">
      There are none yet, so answers come from the model alone.{' '}
      {mayWrite ? (
        <>
          Drop files above, or bring a whole folder with <code>segno knowledge import FOLDER</code>.
        </>
      ) : (
        'Whoever has the permission knowledge:write can bring some.'
      )}
    </Nothing>
  )
}
