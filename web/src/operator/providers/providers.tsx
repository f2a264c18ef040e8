import { useState } from 'react'
import type { Page, Provider } from '../../../../src/client/index.ts'
import { client } from '../../api/client.ts'
import { Button } from '../../parts/button.tsx'
import { ago, moment } from '../../parts/format.ts'
import { Question } from '../../parts/question.tsx'
import { usePolled } from '../../state/polled.ts'
import { visibleText } from '../../text/visible.ts'
import { VisibleText } from '../../text/visible-text.tsx'
import { Nothing, PolledList } from '../list-states.tsx'
import { State } from '../parts.tsx'
import { PROVIDERS, readProviders } from './read-providers.ts'
import { ProviderDialog } from './provider-dialog.tsx'
import { TestProvider } from './test-provider.tsx'

/** Where models come from: what settings say, and what was set here. */
export function Providers() {
  const list = usePolled<Page<Provider>>(PROVIDERS, 5000)
  const [isAdding, setAdding] = useState(false)
  return (
    <>
      <p className="op-lead muted">
        Providers belong to everybody who uses this Segno. What comes from a setting counts and is changed there. A key
        that is set here is stored encrypted, and nobody can read it again.
      </p>
      <div className="op-filters">
        <Button kind="primary" icon="plus" onClick={() => setAdding(true)}>
          Add a provider
        </Button>
      </div>
      <PolledList list={list} empty={<Nothing icon="key">None is set up.</Nothing>}>
        {(items) => (
          <ul className="op-cards op-columns">
            {items.map((provider) => (
              <ProviderCard key={provider.name} provider={provider} />
            ))}
          </ul>
        )}
      </PolledList>
      {isAdding && <ProviderDialog onClose={() => setAdding(false)} />}
    </>
  )
}

function ProviderCard({ provider }: { provider: Provider }) {
  const { name, kind, baseURL, hasKey, local, setting, missing, updatedAt } = provider
  const [asks, setAsks] = useState<'change' | 'remove'>()
  const close = (): void => setAsks(undefined)
  const shown = visibleText(name)
  const secrets = [...(provider.secretHeaders ?? []), ...(provider.secretQuery ?? [])]
  const remove = async (): Promise<void> => {
    await client.removeProvider(name)
    readProviders()
  }
  return (
    <li className="op-card">
      <h3>
        {shown}
        {missing === undefined ? (
          <State icon="check" tone="ok">
            set up
          </State>
        ) : (
          <State icon="key" tone="muted">
            not usable
          </State>
        )}
      </h3>
      {missing !== undefined && (
        <p>
          Because <VisibleText text={missing} />.
        </p>
      )}
      <p className="muted op-facts row wrap">
        {kind !== name && <VisibleText as="span" text={kind} />}
        {baseURL !== undefined && <VisibleText as="span" className="op-break" text={baseURL} />}
        <span>{hasKey ? 'has a key' : 'no key'}</span>
        {secrets.length > 0 && <VisibleText as="span" text={`secret: ${secrets.join(', ')}`} />}
        {local && <span>costs nothing</span>}
        {updatedAt !== undefined && <span title={moment(updatedAt)}>changed {ago(updatedAt)}</span>}
      </p>
      {setting !== undefined && (
        <p>
          Set by <VisibleText as="code" text={setting} />, so it can only be changed there.
        </p>
      )}
      <div className="op-actions row wrap">
        <TestProvider name={name} />
        {setting === undefined && (
          <>
            <Button icon="edit" onClick={() => setAsks('change')} aria-label={`Change ${shown}`}>
              Change
            </Button>
            <Button kind="danger" icon="trash" onClick={() => setAsks('remove')} aria-label={`Remove ${shown}`}>
              Remove…
            </Button>
          </>
        )}
      </div>
      {asks === 'change' && <ProviderDialog provider={provider} onClose={close} />}
      {asks === 'remove' && (
        <Question title={`Remove ${shown}?`} keep="Keep it" go="Remove it" icon="trash" run={remove} onClose={close}>
          <p>Its key is deleted with it. Conversations that use its models cannot go on with them.</p>
        </Question>
      )}
    </li>
  )
}
