import { useState } from 'react'
import type { Found } from '../../../../src/contract/knowledge.ts'
import { SYSTEM_WORKSPACE } from '../../../../src/contract/workspace.ts'
import { client } from '../../api/client.ts'
import { Form } from '../../parts/form.tsx'
import { Problem, useAttempt } from '../../parts/attempt.tsx'
import { Button } from '../../parts/button.tsx'
import { VisibleText } from '../../text/visible-text.tsx'
import { Field, Select } from '../field.tsx'
import { Nothing } from '../list-states.tsx'
import { Section } from '../parts.tsx'
import { DOCUMENTS } from './document-api.ts'
import { hrefOfDocument, titleOf } from './document.ts'

interface TrySearchProps {
  readonly workspaces: readonly (readonly [id: string, name: string])[]
  /** the one the page shows; empty: all */
  readonly workspace: string
}

/** What a conversation of a workspace would be given for a question. */
export function TrySearch({ workspaces, workspace }: TrySearchProps) {
  const [query, setQuery] = useState('')
  const [chosen, choose] = useState<string>()
  const [found, setFound] = useState<readonly Found[]>()
  const [problem, attempt] = useAttempt()
  const workspaceId = chosen ?? (workspace || SYSTEM_WORKSPACE)
  const search = async (): Promise<void> => {
    const body = { query: query.trim(), workspaceId }
    const { items } = await client.requestJson<{ items: readonly Found[] }>('POST', `${DOCUMENTS}/search`, { body })
    setFound(items)
  }
  return (
    <Section title="Try a search">
      <Form
        className="op-filters op-search"
        label="Try a search"
        run={() => {
          if (query.trim() !== '') void attempt(search())
        }}
      >
        <Field label="What would be found for">
          {(id) => (
            <input
              id={id}
              type="search"
              className="input"
              maxLength={1000}
              value={query}
              onChange={(event) => setQuery(event.target.value)}
            />
          )}
        </Field>
        <Select label="In a conversation of" options={workspaces} value={workspaceId} choose={choose} />
        <Button className="op-new" icon="search" type="submit" disabled={query.trim() === ''}>
          Search
        </Button>
      </Form>
      <Problem text={problem} />
      <div role="status">{found && <Results found={found} />}</div>
    </Section>
  )
}

function Results({ found }: { found: readonly Found[] }) {
  if (found.length === 0) return <Nothing icon="search">Nothing that is published there fits.</Nothing>
  return (
    <ol className="op-cards" aria-label="Found passages">
      {found.map((one) => (
        <li key={`${one.documentId} ${one.chunk}`} className="op-card">
          <p className="op-facts muted row wrap">
            <a href={hrefOfDocument(one.documentId)}>{titleOf(one)}</a>
            {one.place !== '' && <VisibleText as="span" text={one.place} />}
            <span>score {Number(one.score.toPrecision(3))}</span>
          </p>
          <VisibleText as="div" className="op-pre" text={one.text} spaces="prose" />
        </li>
      ))}
    </ol>
  )
}
