import { useState } from 'react'
import { client } from '../../api/client.ts'
import { Button } from '../../parts/button.tsx'
import { thenRefresh, type Route } from './automation.ts'
import { JsonDialog } from './json-dialog.tsx'
import { OnceSecret } from './once-secret.tsx'

const example = (route: Route): object => {
  switch (route) {
    case 'workflows':
      return {
        name: 'resize',
        description: 'Makes a picture smaller.',
        engine: 'http',
        target: { url: 'https://example.org/resize' },
        input: { type: 'object', properties: { url: { type: 'string' } }, required: ['url'] },
        effect: 'keyed',
      }
    case 'webhooks':
      return { url: 'https://example.org/segno', events: ['approval.requested'] }
    case 'hooks':
      return { name: 'orders', action: { does: 'event', type: 'order.created' } }
    case 'triggers':
      return { event: 'order.created', filter: {}, workflowId: '' }
    case 'schedules':
      return {
        cron: '0 7 * * 1-5',
        timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
        workflowId: '',
        input: {},
      }
  }
}

/** Makes an automation from JSON, as the API takes it. */
export function AddButton({ route }: { route: Route }) {
  const [isOpen, setOpen] = useState(false)
  const [secret, setSecret] = useState<string>()
  const title = `Add a ${route.slice(0, -1)}`
  const save = async (body: object): Promise<void> => {
    const made = client.requestJson<{ readonly secret?: string }>('POST', `/api/${route}`, { body })
    setSecret((await thenRefresh(made)).secret)
  }
  return (
    <>
      <Button kind="primary" icon="plus" className="op-new" onClick={() => setOpen(true)}>
        Add…
      </Button>
      {isOpen && (
        <JsonDialog title={title} value={example(route)} go="Add" save={save} onClose={() => setOpen(false)} />
      )}
      {secret !== undefined && <OnceSecret secret={secret} onClose={() => setSecret(undefined)} />}
    </>
  )
}
