import proto from '@temporalio/proto'

const { WorkflowExecutionStatus, EventType } = proto.temporal.api.enums.v1

/** A workflow as the server knows it. */
export interface Run {
  readonly workflowId: string
  readonly runId: string
  readonly type: string
  readonly input: unknown
  readonly memo: Readonly<Record<string, unknown>>
  complete(output: unknown): void
  /** with bytes that are no JSON */
  completeWith(encoding: string, data: Uint8Array): void
  fail(message: string): void
  readonly isRunning: boolean
  readonly isCancelled: boolean
}

/** A request to start a workflow, whatever becomes of it. */
export type WorkflowStart = Pick<Run, 'workflowId' | 'input' | 'memo'>

const encoder = new TextEncoder()
const payload = (value: unknown) => ({
  metadata: { encoding: encoder.encode('json/plain') },
  data: encoder.encode(JSON.stringify(value)),
})

const parsed = (data: Uint8Array | null | undefined): unknown =>
  data ? (JSON.parse(new TextDecoder().decode(data)) as unknown) : undefined

export type StartRequest = proto.temporal.api.workflowservice.v1.IStartWorkflowExecutionRequest

export function startOf(request: StartRequest): WorkflowStart {
  return {
    workflowId: request.workflowId ?? '',
    input: parsed(request.input?.payloads?.[0]?.data),
    memo: Object.fromEntries(
      Object.entries(request.memo?.fields ?? {}).map(([name, { data }]) => [name, parsed(data)]),
    ),
  }
}

export class StoredRun implements Run {
  readonly workflowId: string
  readonly requestId: string
  readonly runId = crypto.randomUUID()
  readonly type: string
  readonly input: unknown
  readonly memo: Readonly<Record<string, unknown>>
  readonly closed: Promise<void>
  status = WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING
  lastEvent: object = {}
  readonly #close: () => void

  constructor(request: StartRequest) {
    const { workflowId, input, memo } = startOf(request)
    this.workflowId = workflowId
    this.input = input
    this.memo = memo
    this.requestId = request.requestId ?? ''
    this.type = request.workflowType?.name ?? ''
    const { promise, resolve } = Promise.withResolvers<void>()
    this.closed = promise
    this.#close = resolve
  }

  get isRunning(): boolean {
    return this.status === WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING
  }

  get isCancelled(): boolean {
    return this.status === WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_CANCELED
  }

  complete(output: unknown): void {
    this.#end(WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_COMPLETED, {
      eventType: EventType.EVENT_TYPE_WORKFLOW_EXECUTION_COMPLETED,
      workflowExecutionCompletedEventAttributes: { result: { payloads: [payload(output)] } },
    })
  }

  completeWith(encoding: string, data: Uint8Array): void {
    const one = { metadata: { encoding: encoder.encode(encoding) }, data }
    this.#end(WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_COMPLETED, {
      eventType: EventType.EVENT_TYPE_WORKFLOW_EXECUTION_COMPLETED,
      workflowExecutionCompletedEventAttributes: { result: { payloads: [one] } },
    })
  }

  fail(message: string): void {
    this.#end(WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_FAILED, {
      eventType: EventType.EVENT_TYPE_WORKFLOW_EXECUTION_FAILED,
      workflowExecutionFailedEventAttributes: {
        failure: { message, stackTrace: 'at secret (file.ts:1)', applicationFailureInfo: { type: 'Error' } },
      },
    })
  }

  cancel(): void {
    this.#end(WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_CANCELED, {
      eventType: EventType.EVENT_TYPE_WORKFLOW_EXECUTION_CANCELED,
      workflowExecutionCanceledEventAttributes: {},
    })
  }

  #end(code: typeof this.status, event: object): void {
    if (!this.isRunning) throw new Error('a workflow ends once')
    this.status = code
    this.lastEvent = event
    this.#close()
  }
}
