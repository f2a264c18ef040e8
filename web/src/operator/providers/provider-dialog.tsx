import { useState } from 'react'
import type { Provider } from '../../../../src/client/index.ts'
import type { ProviderInput } from '../../../../src/contract/provider.ts'
import { client } from '../../api/client.ts'
import { Form } from '../../parts/form.tsx'
import { Problem, useAttempt } from '../../parts/attempt.tsx'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Check } from '../../parts/form-fields.tsx'
import { visibleText } from '../../text/visible.ts'
import { readProviders } from './read-providers.ts'

const OWN = 'openai-compatible'
const KINDS: Readonly<Record<string, string>> = {
  [OWN]: 'OpenAI-compatible server (vLLM, LM Studio …)',
  anthropic: 'Anthropic',
  openai: 'OpenAI',
  'openai-chat': 'OpenAI, Chat Completions',
  deepseek: 'DeepSeek',
  google: 'Google',
  openrouter: 'OpenRouter',
  xai: 'xAI',
  mistral: 'Mistral',
  groq: 'Groq',
}

/** Sets up a provider or changes one. A key can be written here, never read. */
export function ProviderDialog({ provider, onClose }: { provider?: Provider; onClose: () => void }) {
  const [kind, setKind] = useState(provider?.kind ?? OWN)
  const [name, setName] = useState(provider?.name ?? '')
  const [baseURL, setAddress] = useState(provider?.baseURL ?? '')
  const [key, setKey] = useState('')
  const [local, setLocal] = useState(provider?.local ?? false)
  const [problem, attempt] = useAttempt()
  const isOwn = kind === OWN
  const save = async (): Promise<void> => {
    const address = baseURL.trim()
    const body: ProviderInput = {
      kind,
      local,
      // What is shown may be the usual address, which nobody set.
      ...(address !== (provider?.baseURL ?? '') && { baseURL: address === '' ? null : address }),
      ...(key !== '' && { key }),
    }
    await client.setProvider(isOwn || provider ? name.trim() : kind, body)
    readProviders()
    onClose()
  }
  return (
    <Dialog title={provider ? `Change ${visibleText(provider.name)}` : 'Add a provider'} onClose={onClose}>
      <Form className="dialog-form column" label="Provider" run={() => void attempt(save())}>
        <label>
          Kind
          <select
            className="input"
            value={kind}
            disabled={provider !== undefined}
            onChange={(event) => setKind(event.target.value)}
          >
            {Object.entries(KINDS).map(([value, words]) => (
              <option key={value} value={value}>
                {words}
              </option>
            ))}
          </select>
        </label>
        {isOwn && !provider && (
          <label>
            Name, for its models: <code>{visibleText(name) || 'name'}:model</code>
            <input
              className="input"
              required
              maxLength={40}
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          </label>
        )}
        <label>
          Address{isOwn ? '' : ', if it is not the usual one'}
          <input
            className="input"
            type="url"
            required={isOwn}
            maxLength={500}
            placeholder="https://api.example.org/v1"
            value={baseURL}
            onChange={(event) => setAddress(event.target.value)}
          />
        </label>
        <label>
          Key
          <input
            className="input"
            type="password"
            autoComplete="off"
            maxLength={4000}
            placeholder={provider?.hasKey ? 'stays as it is' : ''}
            value={key}
            onChange={(event) => setKey(event.target.value)}
          />
        </label>
        <Check label="It runs on our own machines: its models cost nothing" is={local} set={setLocal} />
        <Problem text={problem} />
        <div className="answers row wrap">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit">
            Save
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
