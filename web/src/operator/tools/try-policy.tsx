import { useState } from 'react'
import type { JsonObject } from '../../../../src/contract/message.ts'
import { ask } from '../../api/client.ts'
import { wordsOf } from '../../api/problem.ts'
import type { Page } from '../../api/shapes.ts'
import { Button } from '../../parts/button.tsx'
import { Icon } from '../../parts/icon.tsx'
import { usePolled } from '../../state/polled.ts'
import { VisibleText } from '../../text/visible-text.tsx'
import { visibleText } from '../../text/visible.ts'
import { Field } from '../field.tsx'
import type { Explanation, ToolListed } from '../shapes.ts'

/** What would be decided about a call of yours, and why. Nothing is called. */
export function TryPolicy() {
  const tools = usePolled<Page<ToolListed>>('/api/tools', 5000).value?.items ?? []
  const [tool, setTool] = useState('')
  const [args, setArgs] = useState('{}')
  const [tainted, setTainted] = useState(false)
  const [found, setFound] = useState<Explanation>()
  const [error, setError] = useState('')
  const chosen = tool || (tools[0]?.name ?? '')
  const explain = (): void => {
    setFound(undefined)
    const read = readObject(args)
    setError(read ? '' : 'The arguments are not a JSON object, such as {"path": "a.txt"}.')
    if (!read) return
    ask<Explanation>('POST', '/api/policy/explain', { tool: chosen, args: read, tainted })
      .then(setFound)
      .catch((reason: unknown) => setError(wordsOf(reason)))
  }
  return (
    <form
      className="op-try"
      aria-label="Try the policy"
      onSubmit={(event) => {
        event.preventDefault()
        explain()
      }}
    >
      <Field label="Tool">
        {(id) => (
          <select id={id} className="input" value={chosen} onChange={(event) => setTool(event.target.value)}>
            {tools.map(({ name }) => (
              <option key={name} value={name}>
                {visibleText(name)}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field label="Arguments (JSON)">
        {(id) => (
          <textarea
            id={id}
            className="input mono"
            rows={3}
            spellCheck={false}
            value={args}
            onChange={(event) => setArgs(event.target.value)}
          />
        )}
      </Field>
      <label className="op-check">
        <input type="checkbox" checked={tainted} onChange={(event) => setTainted(event.target.checked)} />
        Suppose the conversation holds text from outside
      </label>
      <div className="op-actions">
        <Button icon="question" onClick={explain}>
          What would be decided?
        </Button>
      </div>
      <div role="status">
        {error !== '' && (
          <p className="danger">
            <VisibleText text={error} />
          </p>
        )}
        {found && <Explained found={found} />}
      </div>
    </form>
  )
}

const VERDICTS = {
  allow: ['check', 'ok', 'It would run without asking.'],
  ask: ['question', 'warn', 'A person would be asked.'],
  refuse: ['cross', 'danger', 'It would be refused.'],
} as const

function Explained({ found: { verdict, decidedBy, because, fitting } }: { found: Explanation }) {
  const [icon, tone, words] = VERDICTS[verdict.kind]
  return (
    <>
      <p className={`op-state ${tone}`}>
        <Icon name={icon} />
        <strong>{words}</strong>
        {verdict.code !== undefined && <code>{verdict.code}</code>}
      </p>
      <p>
        Why: <VisibleText text={because} />
      </p>
      <p className="muted">
        Decided by the step “{decidedBy}” of the gate.
        {fitting.length > 0 && ` Rules of the policy that fit: ${fitting.join(', ')}; the first one counts.`}
        {verdict.kind === 'ask' && verdict.rememberable === false && ' A yes cannot be remembered.'}
      </p>
    </>
  )
}

function readObject(text: string): JsonObject | undefined {
  try {
    const value = JSON.parse(text.trim() || '{}') as unknown
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined
  } catch {
    return undefined
  }
}
