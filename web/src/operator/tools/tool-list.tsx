import type { EffectClass } from '../../../../src/contract/outcome.ts'
import type { Page } from '../../api/shapes.ts'
import { usePolled } from '../../state/polled.ts'
import { VisibleText } from '../../text/visible-text.tsx'
import { Listed, Nothing } from '../faces.tsx'
import type { ToolListed } from '../shapes.ts'
import { visibleText } from '../../text/visible.ts'
import { Code } from '../code.tsx'

const EFFECTS: Readonly<Record<EffectClass, string>> = {
  pure: 'no effect; may run again',
  keyed: 'has an effect; its key makes it happen once',
  verifiable: 'has an effect that can be looked up',
  unsafe: 'has an effect; never run again by itself',
}

export function ToolList() {
  const list = usePolled<Page<ToolListed>>('/api/tools', 5000)
  return (
    <Listed list={list} empty={<Nothing icon="tool">You may use no tools.</Nothing>}>
      {(items) => (
        <ul className="op-tools">
          {items.map((tool) => (
            <ToolLine key={tool.name} tool={tool} />
          ))}
        </ul>
      )}
    </Listed>
  )
}

function ToolLine({ tool: { name, description, kind, effect, foreign, inputSchema } }: { tool: ToolListed }) {
  return (
    <li>
      <details>
        <summary>
          <strong>
            <VisibleText text={name} />
          </strong>
          <span className="op-badge">{kind}</span>
          {foreign && <span className="op-badge warn">described by strangers</span>}
          <span className="muted op-clip">
            <VisibleText text={description.split('\n')[0] ?? ''} />
          </span>
        </summary>
        <div className="op-unfolded">
          <p className="op-pre">
            <VisibleText text={description} />
          </p>
          <p className="muted">
            <code>{effect}</code>: {EFFECTS[effect]}
          </p>
          <Code label={`Input of ${visibleText(name)}`} value={inputSchema} />
        </div>
      </details>
    </li>
  )
}
