import type { Explanation } from '../../../../src/contract/policy.ts'
import type { ToolView } from '../../../../src/contract/views.ts'
import { useState } from 'react'
import type { Page } from '../../../../src/client/index.ts'
import type { JsonObject } from '../../../../src/contract/message.ts'
import { client } from '../../api/client.ts'
import { Form } from '../../parts/form.tsx'
import { Problem, useAttempt } from '../../parts/attempt.tsx'
import { Button } from '../../parts/button.tsx'
import { Icon } from '../../parts/icon.tsx'
import { usePolled } from '../../state/polled.ts'
import { VisibleText } from '../../text/visible-text.tsx'
import { Field, Select } from '../field.tsx'

/** What would be decided about a call of yours, and why. Nothing is called. */
export function TryPolicy() {
  const tools = usePolled<Page<ToolView>>('/api/tools', 5000).value?.items ?? []
  const [tool, setTool] = useState('')
  const [args, setArgs] = useState('{}')
  const [tainted, setTainted] = useState(false)
  const [found, setFound] = useState<Explanation>()
  const [problem, attempt, setProblem] = useAttempt()
  const chosen = tool || (tools[0]?.name ?? '')
  const explain = (): void => {
    setFound(undefined)
    const read = readObject(args)
    if (!read) return setProblem('The arguments are not a JSON object, such as {"path": "a.txt"}.')
    const body = { tool: chosen, args: read, tainted }
    void attempt(client.requestJson<Explanation>('POST', '/api/policy/explain', { body }).then(setFound))
  }
  return (
    <Form className="op-try column" label="Try the policy" run={explain}>
      <Select label="Tool" options={tools.map(({ name }) => [name, name])} value={chosen} choose={setTool} />
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
      <label className="op-check row">
        <input type="checkbox" checked={tainted} onChange={(event) => setTainted(event.target.checked)} />
        Suppose the conversation holds text from outside
      </label>
      <div className="op-actions row wrap">
        <Button icon="question" onClick={explain}>
          What would be decided?
        </Button>
      </div>
      <div role="status">
        <Problem text={problem} />
        {found && <Explained found={found} />}
      </div>
    </Form>
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
        {verdict.kind === 'refuse' && <code>{verdict.code}</code>}
      </p>
      <p>
        Why: <VisibleText text={because} />
      </p>
      <p className="muted">
        Decided by the check “{decidedBy}”.
        {fitting.length > 0 && ` Rules of the policy that fit: ${fitting.join(', ')}; the first one counts.`}
        {verdict.kind === 'ask' && !verdict.rememberable && ' A yes cannot be remembered.'}
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
