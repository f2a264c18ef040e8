import { useState } from 'react'
import type { MeView } from '../../../../src/client/index.ts'
import type { Chunk } from '../../../../src/contract/knowledge.ts'
import { Problem } from '../../parts/attempt.tsx'
import { bytes, moment } from '../../parts/format.ts'
import { usePolled } from '../../state/polled.ts'
import { VisibleText } from '../../text/visible-text.tsx'
import { Select } from '../field.tsx'
import { hrefWith } from '../filters.ts'
import { Loading, PolledList, Stale } from '../list-states.tsx'
import { usePages } from '../pager.tsx'
import { Section } from '../parts.tsx'
import { Reviewer, ReviewButtons, ReviewNotes } from '../review-buttons.tsx'
import { nameIn, useWorkspaces } from '../use-workspaces.ts'
import { Actions } from './document-actions.tsx'
import { pathOf, takeStep } from './document-api.ts'
import { Status } from './document-facts.tsx'
import { foundBefore, titleOf, type Doc } from './document.ts'

interface DocumentProps {
  readonly doc: Doc
  readonly me: MeView
}

/** One document: where its newest version stands, what can be done with it, and what is in it. */
export function OneDocument({ id, me }: { id: string; me: MeView }) {
  const { value: doc, error } = usePolled<Doc>(pathOf(id), 5000)
  return (
    <>
      <a href={hrefWith('knowledge')}>All documents</a>
      {error !== undefined && (doc ? <Stale error={error} /> : <Problem text={error} />)}
      {doc ? <Shown doc={doc} me={me} /> : error === undefined && <Loading />}
    </>
  )
}

function Shown({ doc, me }: DocumentProps) {
  return (
    <>
      <h2 className="op-prompt-title row wrap">
        {titleOf(doc)} <Status doc={doc} />
      </h2>
      <Facts {...doc} />
      <ReviewNotes {...doc} />
      {doc.status === 'pending_review' && (
        <ReviewButtons
          title={titleOf(doc)}
          thing={doc}
          me={me}
          needs="knowledge:review"
          take={(step, reason) => takeStep(doc, step, reason)}
        />
      )}
      <Actions doc={doc} me={me} />
      <Passages doc={doc} />
    </>
  )
}

function Facts({ version, workspaceId, source, author, editors, reviewer, selfApproved, ...rest }: Doc) {
  const { contentType, bytes: size, updatedAt, publishedAt } = rest
  const workspaces = useWorkspaces('')
  return (
    <p className="muted op-facts row wrap">
      <span>version {version}</span>
      <span>workspace {nameIn(workspaces, workspaceId)}</span>
      {source !== undefined && (
        <span>
          from <VisibleText text={source} />
        </span>
      )}
      <span>
        by <VisibleText text={[author, ...editors].join(', ')} />
      </span>
      {reviewer !== undefined && (
        <span>
          approved by <Reviewer reviewer={reviewer} {...(selfApproved && { selfApproved })} />
        </span>
      )}
      <span>
        <VisibleText text={contentType} />, {bytes(size)}
      </span>
      <span>changed {moment(updatedAt)}</span>
      {publishedAt !== undefined && <span>published {moment(publishedAt)}</span>}
    </p>
  )
}

function Passages({ doc }: { doc: Doc }) {
  const [chosen, choose] = useState<number>()
  const before = foundBefore(doc)
  const version = chosen !== undefined && chosen === before ? chosen : doc.version
  const path = `${pathOf(doc.id)}/chunks?version=${version}&limit=20`
  const { list, pager } = usePages<Chunk & { readonly chunk: number }>(path, 10_000)
  return (
    <Section title="Passages">
      {before !== undefined && (
        <Select
          label="Of version"
          options={[
            [String(doc.version), `${doc.version}: the newest`],
            [String(before), `${before}: the one that is found`],
          ]}
          value={String(version)}
          choose={(value) => choose(Number(value))}
        />
      )}
      <PolledList list={list} empty={<p className="muted">It has none.</p>}>
        {(items) => (
          <ol className="op-cards" aria-label={`Passages of version ${version}`}>
            {items.map(({ chunk, place, text }) => (
              <li key={chunk} className="op-card">
                <p className="op-facts muted row wrap">
                  <span>{chunk + 1}</span>
                  <VisibleText as="span" text={place} />
                </p>
                <VisibleText as="div" className="op-pre" text={text} spaces="prose" />
              </li>
            ))}
          </ol>
        )}
      </PolledList>
      {pager}
    </Section>
  )
}
