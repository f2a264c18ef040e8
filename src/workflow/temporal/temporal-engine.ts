import type { TemporalConnection } from '../../contract/automation.ts'
import { invalidField } from '../../contract/problem.ts'
import type { Engine, HandOver, KeptTarget, Started } from '../engine.ts'
import { readFields, readLine } from '../read-fields.ts'
import { sentKey } from '../work-request.ts'
import { createConnections } from './connections.ts'
import { failedTo, isRunning, resultOf } from './read-execution.ts'

interface TemporalEngineOptions {
  /** by the names that targets use */
  readonly connections: ReadonlyMap<string, TemporalConnection>
  readonly connectMs: number
  readonly answerBytes: number
}

const MOST_NAME_CHARS = 200

/** Temporal takes a workflow id once, and the key is the id: however often it is started, it is one. */
export function createTemporalEngine(options: TemporalEngineOptions): Engine {
  const connections = createConnections(options)

  function readTarget(given: unknown): KeptTarget {
    const fields = readFields('target', given, ['connection', 'workflowType', 'taskQueue'])
    const { connection } = fields
    const names = [...options.connections.keys()]
    if (typeof connection !== 'string' || !options.connections.has(connection))
      throw invalidField(
        'target.connection',
        names.length > 0
          ? `must name a Temporal server of the settings: ${names.join(', ')}`
          : 'names a Temporal server, and the settings have none; an operator adds it to SEGNO_TEMPORAL',
      )
    const workflowType = readLine('target.workflowType', fields['workflowType'], MOST_NAME_CHARS)
    const taskQueue = readLine('target.taskQueue', fields['taskQueue'], MOST_NAME_CHARS)
    return { target: { engine: 'temporal', connection, workflowType, taskQueue }, secrets: {} }
  }

  /** How far it is; rejects where that cannot be told. */
  function look(work: HandOver): Promise<Started> {
    const engineRef = sentKey(work.key)
    return connections.use(work, async (client) => {
      const { name } = (await client.getHandle(engineRef).describe()).status
      if (isRunning(name)) return { kind: 'submitted', engineRef }
      return resultOf(name, () => client.result(engineRef), engineRef)
    })
  }

  return {
    name: 'temporal',
    signs: false,
    knowsKeys: true,
    readTarget,
    async start(work) {
      const { target, key, input, invocationId, depth } = work
      if (target.engine !== 'temporal') throw new Error(`a target of ${target.engine} for Temporal`)
      const workflowId = sentKey(key)
      try {
        await connections.use(work, (client) =>
          client.start(target.workflowType, {
            workflowId,
            taskQueue: target.taskQueue,
            args: [input],
            workflowIdReusePolicy: 'REJECT_DUPLICATE',
            workflowIdConflictPolicy: 'FAIL',
            memo: { 'segno-invocation': invocationId, 'segno-depth': depth },
          }),
        )
        return { kind: 'submitted', engineRef: workflowId }
      } catch (error) {
        if (isNamed(error, 'WorkflowExecutionAlreadyStartedError'))
          return look(work).catch((): Started => ({ kind: 'submitted', engineRef: workflowId }))
        return failedTo(error, work.signal)
      }
    },
    async find(work) {
      try {
        return await look(work)
      } catch (error) {
        return isNamed(error, 'WorkflowNotFoundError') ? 'absent' : 'unclear'
      }
    },
    async cancel(work) {
      try {
        await connections.use(work, (client) => client.getHandle(sentKey(work.key)).cancel())
        return true
      } catch {
        return false
      }
    },
    close: connections.close,
  }
}

/** By name, because the classes come with a package that is loaded late. */
const isNamed = (error: unknown, name: string): boolean => error instanceof Error && error.name === name
