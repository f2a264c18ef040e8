import {
  Server,
  ServerCredentials,
  status,
  type handleUnaryCall,
  type sendUnaryData,
  type ServiceError,
} from '@grpc/grpc-js'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import proto from '@temporalio/proto'
import { type Run, startOf, type StartRequest, StoredRun, type WorkflowStart } from './temporal-run.ts'

const { v1: api } = proto.temporal.api.workflowservice
const { v1: enums } = proto.temporal.api.enums
const { WorkflowIdReusePolicy } = enums

/** What a worker of a task queue would do with a workflow of this type. */
export type Worker = (run: Run) => void

/**
 * The part of Temporal's published protocol that clients of workflows need, on loopback. A workflow id is taken once,
 * as the reuse policy says; the server keeps what it knows while connections are cut.
 */
export interface TemporalServer {
  readonly address: string
  /** every workflow that was started, in order */
  readonly runs: readonly Run[]
  /** how many requests of a method came */
  asked(method: string): number
  /** What happens to requests of a method; a function is asked at each. */
  behave(method: string, how: How | (() => How)): void
  /** Tells of each request to start a workflow, before anything is answered. */
  onStart(listener: (start: WorkflowStart) => void): void
  /** Refuses with this gRPC status. */
  refuse(method: string, code: number | undefined): void
  /** Resolves when a request to this method has come, or was given up by its client. */
  next(method: string, what: 'came' | 'cancelled'): Promise<void>
  /** open connections */
  readonly connections: number
  cut(): void
  close(): Promise<void>
}

/**
 * `silent`: it is done and not answered; `cuts`: it is done and the connection cut; `drops`: cut without doing it; a
 * number: refused with this gRPC status
 */
export type How = 'answers' | 'silent' | 'cuts' | 'drops' | 'huge' | number

interface Type {
  decode(bytes: Uint8Array): object
  encode(message: object): { finish(): Uint8Array }
}

const START = 'StartWorkflowExecution'
const HUGE_BYTES = 200 * 1024 * 1024

export async function startTemporal(worker: Worker = () => {}): Promise<TemporalServer> {
  const server = new Server({ 'grpc.max_send_message_length': -1 })
  const runs: StoredRun[] = []
  const counts = new Map<string, number>()
  const behaviour = new Map<string, How | (() => How)>()
  const refusals = new Map<string, number>()
  const waiting: { method: string; what: string; resolve: () => void }[] = []
  const sockets = new Set<Socket>()
  const listeners: ((start: WorkflowStart) => void)[] = []
  const tell = (method: string, what: string): void => {
    for (const one of waiting.splice(0)) {
      if (one.method === method && one.what === what) one.resolve()
      else waiting.push(one)
    }
  }
  const cut = (): void => {
    for (const socket of sockets) socket.destroy()
  }
  const known = (workflowId: string | null | undefined): StoredRun => {
    const run = runs.findLast((one) => one.workflowId === workflowId)
    if (!run) throw refusal(status.NOT_FOUND, 'workflow not found for ID')
    return run
  }

  const methods: Record<string, (request: never) => object | Promise<object>> = {
    GetSystemInfo: () => ({ serverVersion: '1.30.0', capabilities: { internalErrorDifferentiation: true } }),
    StartWorkflowExecution(request: StartRequest) {
      const before = runs.findLast(({ workflowId }) => workflowId === request.workflowId)
      if (before && before.requestId === request.requestId) return { runId: before.runId, started: true }
      const isTaken =
        before?.isRunning ||
        request.workflowIdReusePolicy === WorkflowIdReusePolicy.WORKFLOW_ID_REUSE_POLICY_REJECT_DUPLICATE
      if (before && isTaken) throw refusal(status.ALREADY_EXISTS, 'Workflow execution already started')
      const run = new StoredRun(request)
      runs.push(run)
      worker(run)
      return { runId: run.runId, started: true }
    },
    DescribeWorkflowExecution(request: proto.temporal.api.workflowservice.v1.IDescribeWorkflowExecutionRequest) {
      const run = known(request.execution?.workflowId)
      return {
        workflowExecutionInfo: {
          execution: { workflowId: run.workflowId, runId: run.runId },
          type: { name: run.type },
          status: run.status,
          startTime: { seconds: 1_790_000_000 },
          taskQueue: 'work',
          historyLength: 3,
        },
        executionConfig: {},
      }
    },
    async GetWorkflowExecutionHistory(
      request: proto.temporal.api.workflowservice.v1.IGetWorkflowExecutionHistoryRequest,
    ) {
      const run = known(request.execution?.workflowId)
      await run.closed
      return { history: { events: [run.lastEvent] } }
    },
    RequestCancelWorkflowExecution(
      request: proto.temporal.api.workflowservice.v1.IRequestCancelWorkflowExecutionRequest,
    ) {
      const run = known(request.workflowExecution?.workflowId)
      if (!run.isRunning) throw refusal(status.NOT_FOUND, 'workflow execution already completed')
      run.cancel()
      return {}
    },
  }

  async function answer(method: string, request: object, done: sendUnaryData<object>): Promise<void> {
    counts.set(method, (counts.get(method) ?? 0) + 1)
    const behaves = behaviour.get(method)
    const how = typeof behaves === 'function' ? behaves() : behaves
    if (method === START) for (const listener of listeners) listener(startOf(request))
    if (how === 'drops') return cut()
    const code = typeof how === 'number' ? how : refusals.get(method)
    try {
      if (code !== undefined) throw refusal(code, 'refused by the test')
      const result = (await methods[method]?.(request as never)) ?? {}
      tell(method, 'came')
      if (how === 'cuts') cut()
      else if (how === 'huge') done(null, { huge: true })
      else if (how !== 'silent') done(null, result)
    } catch (error) {
      done(error as ServiceError)
    }
  }

  const handle =
    (method: string): handleUnaryCall<object, object> =>
    (call, done) => {
      call.on('cancelled', () => tell(method, 'cancelled'))
      void answer(method, call.request, done)
    }

  const types = api as unknown as Record<string, Type>
  const definition = Object.fromEntries(
    Object.keys(methods).map((name) => {
      const [request, response] = [types[`${name}Request`], types[`${name}Response`]]
      if (!request || !response) throw new Error(`Temporal has no method ${name}`)
      const bytesOf = (type: Type) => (message: object) =>
        'huge' in message ? Buffer.alloc(HUGE_BYTES) : Buffer.from(type.encode(message).finish())
      const method = {
        path: `/temporal.api.workflowservice.v1.WorkflowService/${name}`,
        requestStream: false,
        responseStream: false,
        requestSerialize: bytesOf(request),
        requestDeserialize: (bytes: Buffer) => request.decode(bytes),
        responseSerialize: bytesOf(response),
        responseDeserialize: (bytes: Buffer) => response.decode(bytes),
      } as const
      return [name, method]
    }),
  )
  server.addService(definition, Object.fromEntries(Object.keys(methods).map((name) => [name, handle(name)])))
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    )
  })
  // In front of it, so that connections can be cut.
  const front = createServer((client) => {
    const behind = connect(port, '127.0.0.1')
    for (const [one, other] of [
      [client, behind],
      [behind, client],
    ] as const) {
      sockets.add(one)
      one.on('error', () => {})
      one.on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
      one.pipe(other)
    }
  })
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve))

  return {
    address: `127.0.0.1:${(front.address() as AddressInfo).port}`,
    runs,
    asked: (method) => counts.get(method) ?? 0,
    behave: (method, how) => void behaviour.set(method, how),
    onStart: (listener) => void listeners.push(listener),
    refuse: (method, code) => void (code === undefined ? refusals.delete(method) : refusals.set(method, code)),
    next: (method, what) => new Promise((resolve) => waiting.push({ method, what, resolve })),
    get connections() {
      return sockets.size / 2
    },
    cut,
    async close() {
      cut()
      server.forceShutdown()
      await new Promise((resolve) => front.close(resolve))
    },
  }
}

function refusal(code: number, details: string): Error {
  return Object.assign(new Error(details), { code, details })
}
