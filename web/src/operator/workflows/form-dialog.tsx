import type { Page, Session, Workflow } from '../../../../src/client/index.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { usePolled } from '../../state/polled.ts'
import type { Body } from '../form/data-field.ts'
import { DataForm } from '../form/data-form.tsx'
import type { Route } from './automation.ts'
import { fieldsFor } from './forms.ts'

interface FormDialogProps {
  readonly route: Route
  readonly title: string
  readonly go: string
  readonly isChange?: boolean
  readonly body: Body
  readonly write: (body: Body) => void
  readonly send: (body: Body, once: string) => Promise<unknown>
  /** it is closed, and what was typed may be gone on with */
  readonly onClose: () => void
  /** it is closed, and what was typed is not wanted */
  readonly onCancel: () => void
}

/** Adds or changes an automation. */
export function FormDialog(props: FormDialogProps) {
  const { route, title, go, isChange = false, body, write, send, onClose, onCancel } = props
  const names = route !== 'workflows' && route !== 'webhooks'
  const speaks = route === 'hooks' || route === 'schedules'
  const workflows = usePolled<Page<Workflow>>(names ? '/api/workflows?limit=200' : null, 10_000).value?.items ?? []
  const sessions = usePolled<Page<Session>>(speaks ? '/api/sessions?limit=50' : null, 60_000).value?.items ?? []
  return (
    <Dialog title={title} onClose={onClose}>
      <DataForm
        label={title}
        go={go}
        fieldsOf={(now) => fieldsFor(route, now, { workflows, sessions, isChange })}
        body={body}
        write={write}
        send={send}
        answers={<Button onClick={onCancel}>Cancel</Button>}
      />
    </Dialog>
  )
}
