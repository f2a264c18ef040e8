import type { MissingTool, ToolView } from '../../../../src/contract/views.ts'
import type { Page } from '../../../../src/client/index.ts'
import type { EffectClass } from '../../../../src/contract/outcome.ts'
import { usePolled } from '../../state/polled.ts'
import { CodeBox } from '../../parts/code-box.tsx'
import { VisibleText } from '../../text/visible-text.tsx'
import { PolledList, Nothing } from '../list-states.tsx'
import { visibleText } from '../../text/visible.ts'

const EFFECTS: Readonly<Record<EffectClass, string>> = {
  pure: 'no effect; may run again',
  keyed: 'has an effect; its key makes it happen once',
  verifiable: 'has an effect that can be looked up',
  unsafe: 'has an effect; never run again by itself',
}

export function ToolList() {
  const list = usePolled<Page<ToolView> & { missing?: readonly MissingTool[] }>('/api/tools', 5000)
  const { missing = [] } = list.value ?? {}
  return (
    <PolledList list={list} empty={<Nothing icon="tool">You may use no tools.</Nothing>}>
      {(items) => (
        <ul className="op-tools">
          {items.map((tool) => (
            <ToolLine key={tool.name} tool={tool} />
          ))}
          {missing.map(({ name, how }) => (
            <li key={name} className="muted">
              <VisibleText as="strong" text={name} /> is not offered. <VisibleText text={how} />
            </li>
          ))}
        </ul>
      )}
    </PolledList>
  )
}

function ToolLine({ tool: { name, description, kind, effect, foreign, inputSchema } }: { tool: ToolView }) {
  return (
    <li>
      <details>
        <summary>
          <VisibleText as="strong" text={name} />
          <span className="chip">{kind}</span>
          {foreign && <span className="chip warn">described by strangers</span>}
          <VisibleText as="span" className="muted op-clip ellipsis" text={description.split('\n')[0] ?? ''} />
        </summary>
        <div className="op-unfolded">
          <VisibleText as="p" className="op-pre" text={description} />
          <p className="muted">
            <code>{effect}</code>: {EFFECTS[effect]}
          </p>
          <CodeBox label={`Input of ${visibleText(name)}`} content={inputSchema} />
        </div>
      </details>
    </li>
  )
}
