import type { QuarantinedTool } from '../../../../src/contract/mcp.ts'
import { useState } from 'react'
import type { Page } from '../../../../src/client/index.ts'
import { client } from '../../api/client.ts'
import { Button } from '../../parts/button.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Question } from '../../parts/question.tsx'
import { refresh, usePolled } from '../../state/polled.ts'
import { VisibleText } from '../../text/visible-text.tsx'
import { Section } from '../parts.tsx'
import { readDiff, type Cut } from '../read-diff.ts'

/** Tool definitions that have changed since they were trusted, and a button to trust the new one. */
export function Quarantine() {
  const { value } = usePolled<Page<QuarantinedTool>>('/api/mcp/quarantined', 5000)
  if (!value || value.items.length === 0) return null
  return (
    <Section title="Changed definitions">
      <p className="op-lead muted">
        These tools describe themselves in other words than those that were trusted. The model does not see them until
        somebody trusts the new ones. Words of a tool are read by the model: look for instructions in them.
      </p>
      <ul className="op-cards">
        {value.items.map((tool) => (
          <QuarantineCard key={`${tool.server} ${tool.tool} ${tool.hash}`} tool={tool} />
        ))}
      </ul>
    </Section>
  )
}

function QuarantineCard({ tool }: { tool: QuarantinedTool }) {
  const [isAsking, setAsking] = useState(false)
  const approve = async (): Promise<void> => {
    const body = { tool: tool.tool, hash: tool.hash }
    await client.requestEmpty('POST', `/api/mcp/${encodeURIComponent(tool.server)}/approve`, { body })
    refresh('/api/mcp')
    refresh('/api/tools')
  }
  return (
    <li className="op-card loud">
      <h3>
        <Icon name="warn" />
        <VisibleText as="span" text={`${tool.server} · ${tool.tool}`} />
      </h3>
      <Diff text={tool.diff} />
      <p className="muted">
        Offered now: <code className="op-break">{tool.hash}</code>
      </p>
      <div className="op-actions row wrap">
        <Button icon="shield" onClick={() => setAsking(true)}>
          Trust this definition
        </Button>
      </div>
      {isAsking && (
        <Question
          title="Trust this definition?"
          keep="Leave it held back"
          go="Trust exactly this"
          isHarmless
          run={approve}
          onClose={() => setAsking(false)}
        >
          <p>
            From now on the model is shown the new words of <VisibleText text={tool.tool} /> of the server{' '}
            <VisibleText text={tool.server} />, in every workspace that uses it. Exactly this definition is trusted:{' '}
            <code className="op-break">{tool.hash}</code>
          </p>
        </Question>
      )}
    </li>
  )
}

function Diff({ text }: { text: string }) {
  return (
    <dl className="op-diff">
      {readDiff(text).map(({ field, before, after }, n) => (
        <div key={n}>
          <VisibleText as="dt" text={field} />
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
      {differs !== '' && <VisibleText as="mark" text={differs} />}
      <VisibleText text={rest} />
    </dd>
  )
}
