import type { AutomationInput, AutomationRoute, AutomationWire, RunReport } from './automation-wire.ts'
import type { Workflow, WorkflowInput, WorkflowRun } from './automation-wire.ts'
import type { Client } from './client.ts'

const encoded = encodeURIComponent
const workflowPath = (id: string): string => `/api/workflows/${encoded(id)}`
const runPath = (id: string): string => `/api/invocations/${encoded(id)}`

const workflow = { fields: ['id', 'name', 'engine', 'status'] } as const
const run = { fields: ['id', 'workflowId', 'status', 'key'] } as const

export interface NewRun {
  readonly input: object
  /** waits until it has ended, or for as long as its hand-over may take */
  readonly wait?: boolean
  readonly idempotencyKey?: string | undefined
  readonly signal?: AbortSignal | undefined
}

/** Workflows and their runs, and what else runs outside of conversations. */
export function automationsOf({ request, requestJson, requestEmpty }: Client) {
  return {
    workflow: (id: string) => requestJson<Workflow>('GET', workflowPath(id), workflow),
    /** `secret`, with which both sides sign, is in this answer only. */
    addWorkflow: (body: WorkflowInput) => requestJson<Workflow>('POST', '/api/workflows', { ...workflow, body }),
    changeWorkflow: (id: string, body: Partial<WorkflowInput> & Partial<Pick<Workflow, 'status' | 'revision'>>) =>
      requestJson<Workflow>('PATCH', workflowPath(id), { ...workflow, body }),
    disableWorkflow: (id: string, reason: string) =>
      requestJson<Workflow>('POST', `${workflowPath(id)}/disable`, { ...workflow, body: { reason } }),
    enableWorkflow: (id: string) => requestJson<Workflow>('POST', `${workflowPath(id)}/enable`, workflow),
    /** Another secret to sign with; the one before stays good too. */
    renewWorkflowSecret: (id: string) =>
      requestJson<Workflow>('POST', `${workflowPath(id)}/secret`, { fields: ['secret'] }),
    invoke: (id: string, { input, wait = false, ...options }: NewRun) =>
      requestJson<WorkflowRun>('POST', `${workflowPath(id)}/invoke${wait ? '?wait=1' : ''}`, {
        ...run,
        ...options,
        body: { input },
      }),

    run: (id: string) => requestJson<WorkflowRun>('GET', runPath(id), run),
    cancelRun: (id: string) => requestJson<WorkflowRun>('POST', `${runPath(id)}/cancel`, run),
    reportRun: (id: string, body: RunReport) =>
      requestJson<WorkflowRun>('POST', `${runPath(id)}/result`, { ...run, body }),

    /** What runs were given and returned, of whoever asks or of another user. */
    eraseRuns: (userId?: string) =>
      requestEmpty('DELETE', `/api/invocations${userId === undefined ? '' : `?userId=${encoded(userId)}`}`),

    get: <Route extends AutomationRoute>(route: Route, id: string) =>
      requestJson<AutomationWire[Route]>('GET', `/api/${route}/${encoded(id)}`, { fields: ['id', 'status'] }),
    add: <Route extends AutomationRoute>(route: Route, body: AutomationInput[Route]) =>
      requestJson<AutomationWire[Route]>('POST', `/api/${route}`, { body, fields: ['id', 'status'] }),
    change: <Route extends AutomationRoute>(
      route: Route,
      id: string,
      body: Partial<AutomationInput[Route]> & { readonly revision?: number },
    ) =>
      requestJson<AutomationWire[Route]>('PATCH', `/api/${route}/${encoded(id)}`, { body, fields: ['id', 'status'] }),
    /** `reason`: why it is disabled, for the others. */
    setStatus: <Route extends AutomationRoute>(
      route: Route,
      id: string,
      body: { readonly status: 'active' | 'disabled'; readonly reason?: string | undefined },
    ) =>
      requestJson<AutomationWire[Route]>('PATCH', `/api/${route}/${encoded(id)}`, { body, fields: ['id', 'status'] }),
    remove: (route: AutomationRoute, id: string) => requestEmpty('DELETE', `/api/${route}/${encoded(id)}`),
    renewSecret: (route: 'webhooks' | 'hooks', id: string) =>
      requestJson<{ readonly secret: string }>('POST', `/api/${route}/${encoded(id)}/secret`, { fields: ['secret'] }),
    /** Has a delivery sent once more. */
    sendAgain: (deliveryId: string) => request('POST', `/api/deliveries/${encoded(deliveryId)}/retry`),
    /** Says what happened outside, for triggers and webhooks; repeated with the same id it counts once. */
    report: (event: { readonly id?: string | undefined; readonly type: string; readonly payload: object }) =>
      requestJson<{ readonly id: string }>('POST', '/api/events', { body: event, fields: ['id'] }),
  }
}
