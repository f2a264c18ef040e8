import type { SentPart, SentPromptView } from '../../../src/contract/views.ts'
import { hrefWith } from '../operator/filters.ts'
import { Problem } from '../parts/attempt.tsx'
import { CodeBox } from '../parts/code-box.tsx'
import { count } from '../parts/format.ts'
import { useGovernedPrompt } from '../state/governed-prompt.ts'
import { usePolled } from '../state/polled.ts'
import { VisibleText } from '../text/visible-text.tsx'
import { visibleText } from '../text/visible.ts'
import { Facts, Id } from './facts.tsx'
import { PromptFold } from './prompt-fold.tsx'

const OLD_MS = 600_000

/** What the model was sent in a turn: layer by layer with where it came from, and what was left out. */
export function PromptOfTurn({ requestId, turn }: { requestId: string; turn: number }) {
  const path = `/api/rounds/${encodeURIComponent(requestId)}/prompt?turn=${turn}`
  const { value: sent, error } = usePolled<SentPromptView>(path, OLD_MS)
  if (!sent) return <Problem text={error} />
  return (
    <>
      {!sent.isExact && (
        <p className="insp-lead warn">
          Not letter by letter what was sent: something was erased since, or another version of Segno made it.
        </p>
      )}
      {sent.layers.map(({ name, parts }) => (
        <section key={name} aria-label={visibleText(name)}>
          <h3 className="insp-title">
            <VisibleText text={name} />
            <small>{count(parts.reduce((sum, { tokens }) => sum + tokens, 0))} tokens</small>
          </h3>
          {parts.map((part, at) => (
            <SentPartFold key={at} layer={name} part={part} />
          ))}
        </section>
      ))}
      {sent.notes.map((note, at) => (
        <PromptFold key={at} head="note" gist={note}>
          <CodeBox label="Note" content={note} spaces="prose" />
        </PromptFold>
      ))}
      <LeftOut items={sent.leftOut} />
      <h3 className="insp-title">
        Tools<small>{sent.tools.length} offered</small>
      </h3>
      {sent.tools.map(({ name, description, jsonSchema }) => (
        <PromptFold key={name} head={<VisibleText text={name} />} gist={description}>
          <VisibleText as="p" className="insp-words" text={description} />
          <CodeBox label={`What ${visibleText(name)} takes`} content={jsonSchema} />
        </PromptFold>
      ))}
      <h3 className="insp-title">Settings</h3>
      <Facts
        of={[
          ['Model', <VisibleText key="m" text={sent.model} />],
          ['Attempt', `${sent.attempt}`],
          ['Renderer', `${sent.renderer}`],
          ...Object.entries(sent.parameters).map(
            ([name, value]) =>
              [
                name,
                <VisibleText key={name} text={typeof value === 'string' ? value : JSON.stringify(value)} />,
              ] as const,
          ),
        ]}
      />
    </>
  )
}

function SentPartFold({ layer, part }: { layer: string; part: SentPart }) {
  const { id, version, role, hash, tokens, text = '' } = part
  const governed = useGovernedPrompt(layer === 'system' && version !== undefined ? id : null)
  const name = `${role ?? governed?.name ?? id}${version === undefined ? '' : ` v${version}`}`
  if (part.erased)
    return (
      <p className="insp-erased">
        <VisibleText as="span" className="insp-fold-name" text={name} />
        <span>erased: its words are gone, here and everywhere else</span>
      </p>
    )
  return (
    <PromptFold head={<VisibleText text={name} />} gist={text} note={`${count(tokens)} tokens`}>
      {governed && (
        <p>
          <a href={hrefWith('prompts', { id })}>All versions</a>
          {governed.reviewer !== undefined && <VisibleText text={`, approved by ${governed.reviewer}`} />}
          {governed.selfApproved && <strong className="warn"> (self-approved)</strong>}
        </p>
      )}
      <span className="insp-hash">
        Hash <Id name={`the hash of ${visibleText(name)}`} value={hash} short={12} />
      </span>
      <CodeBox label={`Text of ${visibleText(name)}`} content={text} spaces="prose" />
    </PromptFold>
  )
}

function LeftOut({ items }: { items: SentPromptView['leftOut'] }) {
  return (
    <>
      <h3 className="insp-title">Left out</h3>
      {items.length === 0 && <p className="insp-note">Nothing: all of it fitted.</p>}
      <ul className="plain-list">
        {items.map(({ what, tokens, why }, at) => (
          <li key={at} className="insp-left">
            <VisibleText as="strong" text={what} />
            {tokens > 0 && ` · ${count(tokens)} tokens`} · <VisibleText text={why} />
          </li>
        ))}
      </ul>
    </>
  )
}
