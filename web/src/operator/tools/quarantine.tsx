import { useState } from 'react'
import { ask } from '../../api/client.ts'
import { wordsOf } from '../../api/problem.ts'
import type { Page } from '../../api/shapes.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Icon } from '../../parts/icon.tsx'
import { refresh, usePolled } from '../../state/polled.ts'
import { VisibleText } from '../../text/visible-text.tsx'
import { Part } from '../part.tsx'
import { readDiff, type Cut } from '../read-diff.ts'
import type { Quarantined } from '../shapes.ts'

/** Definitions that are not the trusted ones: what changed, and a person's yes to exactly that. */
export function Quarantine() {
  const { value } = usePolled<Page<Quarantined>>('/api/mcp/quarantined', 5000)
  if (!value || value.items.length === 0) return null
  return (
    <Part title="Changed definitions">
      <p className="op-lead muted">
        These tools describe themselves in other words than those that were trusted. The model does not see them until
        somebody trusts the new ones. Words of a tool are read by the model: look for instructions in them.
      </p>
      <ul className="op-cards">
        {value.items.map((tool) => (
          <QuarantineCard key={`${tool.server} ${tool.tool} ${tool.hash}`} tool={tool} />
        ))}
      </ul>
    </Part>
  )
}

function QuarantineCard({ tool }: { tool: Quarantined }) {
  const [isAsking, setAsking] = useState(false)
  const [error, setError] = useState('')
  const approve = (): void => {
    setAsking(false)
    ask('POST', `/api/mcp/${encodeURIComponent(tool.server)}/approve`, { tool: tool.tool, hash: tool.hash })
      .catch((reason: unknown) => setError(wordsOf(reason)))
      .finally(() => {
        refresh('/api/mcp')
        refresh('/api/tools')
      })
  }
  return (
    <li className="op-card loud">
      <h3>
        <Icon name="warn" />
        <span>
          <VisibleText text={`${tool.server} · ${tool.tool}`} />
        </span>
      </h3>
      <Diff text={tool.diff} />
      <p className="muted">
        Offered now: <code className="op-break">{tool.hash}</code>
      </p>
      <div className="op-actions">
        <Button icon="shield" onClick={() => setAsking(true)}>
          Trust this definition
        </Button>
        {error !== '' && (
          <span role="alert">
            <VisibleText text={error} />
          </span>
        )}
      </div>
      {isAsking && (
        <Dialog title="Trust this definition?" onClose={() => setAsking(false)}>
          <p>
            From now on the model is shown the new words of <VisibleText text={tool.tool} /> of the server{' '}
            <VisibleText text={tool.server} />, in every workspace that uses it. Exactly this definition is trusted:{' '}
            <code className="op-break">{tool.hash}</code>
          </p>
          <div className="op-actions">
            <Button onClick={() => setAsking(false)}>Leave it held back</Button>
            <Button kind="primary" onClick={approve}>
              Trust exactly this
            </Button>
          </div>
        </Dialog>
      )}
    </li>
  )
}

function Diff({ text }: { text: string }) {
  return (
    <dl className="op-diff">
      {readDiff(text).map(({ field, before, after }, n) => (
        <div key={n}>
          <dt>
            <VisibleText text={field} />
          </dt>
          {before && <DiffLine sign="−" words="trusted" cut={before} />}
          {after && <DiffLine sign="+" words="offered" cut={after} />}
        </div>
      ))}
    </dl>
  )
}

function DiffLine({ sign, words, cut: { same, differs, rest } }: { sign: string; words: string; cut: Cut }) {
  return (
    <dd className={`op-diff-${words}`}>
      <span aria-hidden="true">{sign} </span>
      <span className="sr-only">{words}: </span>
      <VisibleText text={same} />
      {differs !== '' && (
        <mark>
          <VisibleText text={differs} />
        </mark>
      )}
      <VisibleText text={rest} />
    </dd>
  )
}
