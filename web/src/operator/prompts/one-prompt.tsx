import { useState } from 'react'
import type { MeView } from '../../../../src/client/index.ts'
import { useDraft } from '../../conversation/drafts.ts'
import { Problem } from '../../parts/attempt.tsx'
import { moment } from '../../parts/format.ts'
import { usePolled } from '../../state/polled.ts'
import { VisibleText } from '../../text/visible-text.tsx'
import { hrefWith } from '../filters.ts'
import { Loading, Stale } from '../list-states.tsx'
import { Section } from '../parts.tsx'
import { Reviewer, ReviewNotes } from '../review-buttons.tsx'
import { Table } from '../table.tsx'
import { Changes, useVersions, Words } from './changes.tsx'
import { othersOf, titleOf, type Prompt } from './prompt.ts'
import { Actions } from './prompt-actions.tsx'
import { changePrompt, pathOf } from './prompt-api.ts'
import { Status, Tokens } from './prompt-facts.tsx'
import { placeOf, PromptForm } from './prompt-form.tsx'
import { COLUMNS } from './prompt-list.tsx'
import { Review } from './review.tsx'

/** One version: its words, what can be done with it, what it changes, and the versions around it. */
export function OnePrompt({ id, me }: { id: string; me: MeView }) {
  const { value: prompt, error } = usePolled<Prompt>(pathOf(id), 5000)
  return (
    <>
      <a href={hrefWith('prompts')}>All prompts</a>
      {error !== undefined && (prompt ? <Stale error={error} /> : <Problem text={error} />)}
      {prompt ? <Shown prompt={prompt} me={me} /> : error === undefined && <Loading />}
    </>
  )
}

function Shown({ prompt, me }: { prompt: Prompt; me: MeView }) {
  const isEdited = useDraft(placeOf(prompt.id)) !== undefined && prompt.status === 'draft'
  return (
    <>
      <h2 className="op-prompt-title row wrap">
        {titleOf(prompt)} <Status {...prompt} />
      </h2>
      <Facts prompt={prompt} />
      <ReviewNotes {...prompt} />
      {isEdited ? (
        <Editing prompt={prompt} />
      ) : (
        <>
          <Actions prompt={prompt} me={me} />
          {prompt.status === 'pending_review' && <Review prompt={prompt} me={me} />}
          <Section title="Words">
            <Words prompt={prompt} />
          </Section>
        </>
      )}
      <History prompt={prompt} />
    </>
  )
}

function Editing({ prompt }: { prompt: Prompt }) {
  const [begun] = useState(prompt.content)
  return (
    <PromptForm
      place={placeOf(prompt.id)}
      name={prompt.name}
      go="Save"
      save={(written) => changePrompt(prompt.id, written)}
      cancel={() => {}}
    >
      {begun !== prompt.content && (
        <p className="op-card loud">Somebody changed these words while you write: saving replaces theirs.</p>
      )}
    </PromptForm>
  )
}

function Facts({ prompt }: { prompt: Prompt }) {
  const { workspaceId, author, editors, updatedAt, activatedAt } = prompt
  return (
    <p className="muted op-facts row wrap">
      <span>
        workspace <VisibleText text={workspaceId} />
      </span>
      <span>
        by <VisibleText text={[author, ...editors].join(', ')} />
      </span>
      {prompt.reviewer !== undefined && (
        <span>
          approved by <Reviewer {...prompt} />
        </span>
      )}
      <span>
        <Tokens {...prompt} unit=" tokens" />
      </span>
      <span>changed {moment(updatedAt)}</span>
      {activatedAt !== undefined && <span>made active {moment(activatedAt)}</span>}
    </p>
  )
}

function History({ prompt }: { prompt: Prompt }) {
  const versions = useVersions(prompt)
  return (
    <>
      {othersOf(prompt, versions).length > 0 && (
        <Section title="What it changes">
          <Changes prompt={prompt} />
        </Section>
      )}
      <Section title="Versions">
        <Table columns={COLUMNS} items={versions.filter(({ name }) => name === prompt.name)} keyOf={({ id }) => id} />
      </Section>
    </>
  )
}
