import { useState } from 'react'
import { client } from '../../api/client.ts'
import { Button } from '../../parts/button.tsx'
import { bodyOf, changesOf, type Body } from '../form/data-field.ts'
import { thenRefresh, type Route, type Shown } from './automation.ts'
import { FormDialog } from './form-dialog.tsx'
import { bodyIn, fieldsFor } from './forms.ts'

interface ChangeButtonProps {
  readonly route: Route
  readonly thing: Shown
  /** what it is called here */
  readonly name: string
}

/** Changes an automation: only what is different is sent, and refused if somebody else changed it meanwhile. */
export function ChangeButton({ route, thing, name }: ChangeButtonProps) {
  const [before, setBefore] = useState<Shown>()
  const [body, write] = useState<Body>({})
  const close = (): void => setBefore(undefined)
  const send = async (after: Body): Promise<void> => {
    if (before === undefined) return
    const fields = fieldsFor(route, bodyIn(before), { workflows: [], sessions: [], isChange: true })
    const changes = changesOf(bodyOf(fields, bodyIn(before)), after, route === 'workflows')
    const { id, revision } = before
    if (Object.keys(changes).length > 0)
      await thenRefresh(client.requestJson('PATCH', `/api/${route}/${id}`, { body: { ...changes, revision } }))
    close()
  }
  return (
    <>
      <Button
        icon="edit"
        aria-label={`Change ${name}`}
        onClick={() => {
          setBefore(thing)
          write(bodyIn(thing))
        }}
      >
        Change…
      </Button>
      {before && (
        <FormDialog
          isChange
          route={route}
          title={`Change ${name}`}
          go="Save"
          body={body}
          write={write}
          send={send}
          onClose={close}
          onCancel={close}
        />
      )}
    </>
  )
}
