import type { ListedModel } from '../../../src/client/index.ts'
import type { Protocol } from '../../../src/contract/outcome.ts'
import { duration } from '../parts/format.ts'
import { Icon } from '../parts/icon.tsx'
import { Menu, type MenuEntry } from '../parts/menu.tsx'
import { useMe } from '../state/me.ts'
import { useModels } from '../state/models.ts'
import { visibleText } from '../text/visible.ts'

/** Which model answers. Nothing chosen: the default. */
export function ModelMenu({ model, choose }: { model: string | undefined; choose: (model: string | null) => void }) {
  const me = useMe()
  const shown = visibleText(model ?? me?.model ?? '…')
  const sorted = useModels().toSorted((a, b) => Number(b.usable) - Number(a.usable))
  const entries: MenuEntry[] = [
    {
      label: 'Default',
      note: me ? `${me.model}: ${me.modelChosenBecause}` : '',
      checked: model === undefined,
      run: () => choose(null),
    },
    ...sorted.map((one) => ({
      label: visibleText(one.key),
      note: noteOf(one),
      checked: one.key === model,
      disabled: !one.usable,
      run: () => choose(one.key),
    })),
  ]
  return <Switch name="Model" shown={shown} entries={entries} />
}

function noteOf({ usable, missing, leftAloneUntil, provider, model }: ListedModel): string {
  if (!usable) return `cannot be used: ${visibleText(missing ?? 'it is not set up')}`
  const leftMs = leftAloneUntil === undefined ? 0 : Date.parse(leftAloneUntil) - Date.now()
  if (leftMs > 0) return `failed too often, paused for ${duration(leftMs)}`
  return visibleText(provider === model ? provider : `${provider} ${model}`)
}

interface ProtocolMenuProps {
  readonly protocol: Protocol | undefined
  readonly choose: (protocol: Protocol | null) => void
}

/** How tools are used. Nothing chosen: the default. */
export function ProtocolMenu({ protocol, choose }: ProtocolMenuProps) {
  const me = useMe()
  const shown = protocol ?? me?.protocol ?? '…'
  const entry = (label: string, note: string, value: Protocol | undefined): MenuEntry => ({
    label,
    note,
    checked: protocol === value,
    run: () => choose(value ?? null),
  })
  return (
    <Switch
      name="Protocol"
      shown={shown}
      entries={[
        entry('Default', me?.protocol ?? '', undefined),
        entry('unified', 'The model may call tools whenever it wants.', 'unified'),
        entry('triggered', 'First the tools, phase by phase, then the answer.', 'triggered'),
      ]}
    />
  )
}

function Switch({ name, shown, entries }: { name: string; shown: string; entries: readonly MenuEntry[] }) {
  const button = (
    <>
      <span className="ellipsis">{shown}</span>
      <Icon name="down" size={12} />
    </>
  )
  return <Menu label={`${name}: ${shown}`} className="conv-switch" entries={entries} button={button} />
}
