import assert from 'node:assert/strict'
import type { Passed } from './gate.ts'
import type { Run } from './segno.ts'
import type { World } from './world.ts'

/** Something that must hold with a real n8n. It ends with the run that shows it. */
export interface Case {
  readonly title: string
  /** how the run must have ended */
  readonly ends: string
  /** how often the work of its key was done */
  readonly done: number
  show(world: World): Promise<Run>
}

export interface Shown {
  readonly title: string
  readonly status: string
  readonly requests: number
  readonly executions: number
  readonly done: number
  /** what went wrong */
  readonly fault?: string
}

/** Shows it, and counts what came of its key outside of Segno. */
export async function showCase({ title, ends, done, show }: Case, world: World): Promise<Shown> {
  const { gate, ledger } = world
  try {
    const run = await show(world)
    const requests = gate.passed.filter(({ key }) => key === run.key)
    const executors = await ledger.done(run.key)
    const row = {
      title,
      status: run.status,
      requests: requests.length,
      executions: executions(requests),
      done: executors.length,
    }
    if (run.status !== ends)
      return { ...row, fault: `it ended as ${run.status}, not as ${ends}: ${JSON.stringify(run)}` }
    if (executors.length !== done) return { ...row, fault: `its work was done ${executors.length} times, not ${done}` }
    return row
  } catch (error) {
    const fault = error instanceof Error ? (error.stack ?? error.message) : String(error)
    return { title, status: '?', requests: 0, executions: 0, done: 0, fault }
  }
}

/** Those that n8n let in, each of which it began to execute, as far as can be seen from outside. */
const executions = (requests: readonly Passed[]): number =>
  requests.filter(
    ({ status = 200, answer = '', lost }) =>
      lost !== 'refused' && status < 400 && !answer.startsWith('n8n is starting up'),
  ).length

/** The run of a workflow by its name, just stored. */
export function invoke({ segno, workflows }: World, name: string, key?: string): Promise<Run> {
  const id = workflows.get(name)
  assert(id !== undefined, `${name} is not registered`)
  runs++
  return segno.invoke(id, { file: `${name}-${runs}.png` }, key)
}

let runs = 0

/** As soon as the work of a key has been done, by which execution, and where that can be told to go on. */
export async function doneBy({ ledger }: World, key: string): Promise<{ execution: string; resumeUrl: string }> {
  return eventually(async () => (await ledger.done(key))[0], `nobody did the work of ${key}`)
}

/** As soon as n8n says that this execution waits. */
export const waiting = (world: World, execution: string): Promise<true> =>
  eventually(
    async () => (await executionStatus(world, execution)) === 'waiting' || undefined,
    `${execution} does not wait`,
  )

export async function executionStatus({ n8n }: World, execution: string): Promise<unknown> {
  return (await n8n.api('GET', `/executions/${execution}`)).body['status']
}

/** Somebody answers what the execution waits for. */
export async function goOn(world: World, key: string): Promise<void> {
  const { execution, resumeUrl } = await doneBy(world, key)
  await waiting(world, execution)
  const answer = await fetch(resumeUrl)
  assert(answer.ok, `n8n answered ${resumeUrl} with ${answer.status}`)
}

const PATIENCE_MS = 120_000

export async function eventually<T>(found: () => Promise<T | undefined>, otherwise: string): Promise<T> {
  const end = Date.now() + PATIENCE_MS
  for (;;) {
    const one = await found()
    if (one !== undefined) return one
    assert(Date.now() < end, otherwise)
    await new Promise((again) => setTimeout(again, 100))
  }
}
