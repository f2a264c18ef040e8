import { useState } from 'react'
import { client } from '../../api/client.ts'
import { Button } from '../../parts/button.tsx'
import type { Body } from '../form/data-field.ts'
import { thenRefresh, type Route } from './automation.ts'
import { FormDialog } from './form-dialog.tsx'
import { START } from './forms.ts'
import { OnceSecret } from './once-secret.tsx'

/** Makes an automation. Who closes the form by accident finds it again as it was. */
export function AddButton({ route }: { route: Route }) {
  const [isOpen, setOpen] = useState(false)
  const [body, write] = useState(START[route])
  const [secret, setSecret] = useState<string>()
  const done = (): void => {
    setOpen(false)
    write(START[route])
  }
  const send = async (made: Body, idempotencyKey: string): Promise<void> => {
    const work = client.requestJson<{ readonly secret?: string }>('POST', `/api/${route}`, {
      body: made,
      idempotencyKey,
    })
    setSecret((await thenRefresh(work)).secret)
    done()
  }
  return (
    <>
      <Button kind="primary" icon="plus" className="op-new" onClick={() => setOpen(true)}>
        Add…
      </Button>
      {isOpen && (
        <FormDialog
          route={route}
          title={`Add a ${route.slice(0, -1)}`}
          go="Add"
          body={body}
          write={write}
          send={send}
          onClose={() => setOpen(false)}
          onCancel={done}
        />
      )}
      {secret !== undefined && <OnceSecret secret={secret} onClose={() => setSecret(undefined)} />}
    </>
  )
}
