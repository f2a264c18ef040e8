import type { AutomationRoute, AutomationWire, Client, Workflow, WorkflowRun } from '../../client/index.ts'
import { Problem } from '../../contract/problem.ts'
import { findByStart, isWholeId } from './find-by-start.ts'

/** The id of a workflow, given its name or the beginning of its id. */
export async function workflowId(client: Client, given: string): Promise<string> {
  if (isWholeId(given)) return given
  const all = await client.listAll<Workflow>('/api/workflows?')
  const named = all.find(({ name }) => name === given)
  if (named) return named.id
  checkLooksLikeId(given, 'workflow', 'workflows')
  return (await findByStart(given, { one: 'workflow', all: () => Promise.resolve(all) })).id
}

/** What is no beginning of an id was meant as a name. */
function checkLooksLikeId(given: string, one: string, topic: string): void {
  if (!/^[0-9a-f-]{6,36}$/.test(given))
    throw new Problem('NOT_FOUND', `There is no ${one} ${given.slice(0, 100)}. segno ${topic} ls lists them.`)
}

const ONES = { webhooks: 'webhook', hooks: 'hook', triggers: 'trigger', schedules: 'schedule' } as const

/** The names of all workflows by their ids; one that is not there is named by its id. */
export async function workflowNames(client: Client): Promise<(id: string) => string> {
  const all = await client.listAll<Workflow>('/api/workflows?')
  const names = new Map(all.map(({ id, name }) => [id, name]))
  return (id) => names.get(id) ?? id
}

/** The id of another automation, given the beginning of it, or of a hook the name. */
export async function automationId(client: Client, route: AutomationRoute, given: string): Promise<string> {
  if (route !== 'hooks' && isWholeId(given)) return given
  const all = await client.listAll<AutomationWire[typeof route]>(`/api/${route}?`)
  const named = all.find((one) => 'name' in one && one.name === given)
  if (named) return named.id
  if (isWholeId(given)) return given
  if (route === 'hooks') checkLooksLikeId(given, 'hook', route)
  return (await findByStart(given, { one: ONES[route], topic: route, all: () => Promise.resolve(all) })).id
}

/** The id of a run, given the beginning of it. */
export async function runId(client: Client, given: string): Promise<string> {
  if (isWholeId(given)) return given
  const all = () => client.listAll<WorkflowRun>('/api/invocations?', MOST_RUNS)
  return (await findByStart(given, { one: 'run', listing: 'segno workflows runs', all })).id
}

/** Of the newest runs; of an older one the whole id is needed. */
const MOST_RUNS = 1000
