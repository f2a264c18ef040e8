import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A workflow as n8n exports it, as far as it is changed here. */
export interface N8nWorkflow {
  id: string
  name: string
  nodes: N8nNode[]
  connections: Record<string, { main: { node: string; type: 'main'; index: number }[][] }>
  settings?: Record<string, unknown>
}

interface N8nNode {
  id: string
  name: string
  type: string
  typeVersion: number
  position: [number, number]
  parameters: Record<string, unknown>
  credentials?: Record<string, unknown>
  webhookId?: string
}

/** A file of examples/n8n, as it is. */
export const example = (name: string): N8nWorkflow =>
  JSON.parse(readFileSync(join(import.meta.dirname, '../../../examples/n8n', `${name}.json`), 'utf8')) as N8nWorkflow

/** The webhook's path is the name of the workflow in Segno, and its id in n8n. */
export function renamed(workflow: N8nWorkflow, path: string): N8nWorkflow {
  const nodes = workflow.nodes.map((one) =>
    one.type === 'n8n-nodes-base.webhook'
      ? { ...one, webhookId: randomUUID(), parameters: { ...one.parameters, path } }
      : one,
  )
  return { ...workflow, id: path, name: path, nodes }
}

/** What a test puts in front of the work of the example: its effect is noted where it shows how often it was done. */
export const act = (): N8nNode => {
  const query = `INSERT INTO work (key, execution, resume_url) VALUES ($1, $2, $3) RETURNING key`
  const values = `={{ [$('Webhook').first().json.headers['idempotency-key'], $execution.id, $execution.resumeUrl] }}`
  return {
    ...node('Act', 'postgres', 2.6, { operation: 'executeQuery', query, options: { queryReplacement: values } }),
    credentials: { postgres: { id: 'segnoLedger', name: 'Segno ledger' } },
  }
}

/** Waits in n8n's database until somebody asks for the address to go on. */
export const waitForSomebody = (): N8nNode => ({
  ...node('Wait', 'wait', 1.1, { resume: 'webhook', options: {} }),
  webhookId: randomUUID(),
})

/** So short that n8n keeps it in memory; long enough to be killed meanwhile. */
export const waitInMemory = (): N8nNode => ({
  ...node('Wait', 'wait', 1.1, { resume: 'timeInterval', amount: 60, unit: 'seconds' }),
  webhookId: randomUUID(),
})

export const fail = (): N8nNode =>
  node('Fail', 'stopAndError', 1, { errorType: 'errorMessage', errorMessage: 'There is no such picture.' })

const node = (name: string, type: string, typeVersion: number, parameters: N8nNode['parameters']): N8nNode => ({
  id: name.toLowerCase(),
  name,
  type: `n8n-nodes-base.${type}`,
  typeVersion,
  position: [0, 400],
  parameters,
})

/** The workflow with these nodes in front of `next`, one after the other. */
export function withNodes(workflow: N8nWorkflow, added: readonly N8nNode[], next = 'Work'): N8nWorkflow {
  const chain = [...added.map(({ name }) => name), next]
  const first = chain[0] ?? next
  const connections = Object.entries(workflow.connections).map(([from, { main }]) => {
    const outputs = main.map((all) => all.map((one) => (one.node === next ? { ...one, node: first } : one)))
    return [from, { main: outputs }] as const
  })
  const more = added.map(({ name }, at) => [name, { main: [[link(chain[at + 1] ?? next)]] }] as const)
  return {
    ...workflow,
    nodes: [...workflow.nodes, ...added],
    connections: Object.fromEntries([...connections, ...more]) as N8nWorkflow['connections'],
  }
}

const link = (name: string) => ({ node: name, type: 'main' as const, index: 0 })

/** The workflow without a node; what led to it leads to what came after it. */
export function without(workflow: N8nWorkflow, name: string): N8nWorkflow {
  const after = workflow.connections[name]?.main[0] ?? []
  const connections = Object.entries(workflow.connections)
    .filter(([from]) => from !== name)
    .map(([from, { main }]) => [
      from,
      { main: main.map((all) => all.flatMap((one) => (one.node === name ? after : one))) },
    ])
  return {
    ...workflow,
    nodes: workflow.nodes.filter((one) => one.name !== name),
    connections: Object.fromEntries(connections) as N8nWorkflow['connections'],
  }
}
