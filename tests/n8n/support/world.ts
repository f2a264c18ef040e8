import { randomBytes } from 'node:crypto'
import { startPostgres } from '../../support/postgres/start-postgres.ts'
import { openGate, type Gate } from './gate.ts'
import {
  act,
  example,
  fail,
  renamed,
  waitForSomebody,
  waitInMemory,
  without,
  withNodes,
  type N8nWorkflow,
} from './example-workflows.ts'
import { importAsInTheDocs, publish } from './import-examples.ts'
import { makeLedger, type Ledger } from './ledger.ts'
import { makeN8n, type N8n } from './n8n-process.ts'
import { makeSegno, type SegnoServer } from './segno.ts'

/** All that a case needs; everything is real and on this machine. */
export interface World {
  readonly n8n: N8n
  readonly segno: SegnoServer
  readonly gate: Gate
  readonly ledger: Ledger
  /** what the webhooks want to see */
  readonly secret: string
  /** ids in Segno, by name */
  readonly workflows: Map<string, string>
  /** Registers a workflow of n8n in Segno over HTTP. */
  register(name: string, changes?: object): Promise<string>
  close(): Promise<void>
}

const QUICK = { attempts: 60, baseMs: 500, factor: 1, maxMs: 500 }
const INPUT = {
  type: 'object',
  properties: { file: { type: 'string', maxLength: 1000 }, width: { type: 'integer' } },
  required: ['file'],
}
const OUTPUT = { type: 'object', properties: { file: { type: 'string' } }, required: ['file'] }

/** What tests make of the example, by name. */
function changedExamples(): N8nWorkflow[] {
  const resize = example('resize')
  const forgetful = without(withNodes(without(resize, 'Claim the key'), [act(), waitForSomebody()]), 'Note the output')
  return [
    renamed(withNodes(resize, [act()]), 'counted'),
    renamed(resize, 'unpublished'),
    renamed(withNodes(resize, [act(), waitForSomebody()]), 'patient'),
    renamed(withNodes(resize, [act(), waitInMemory()]), 'busy'),
    renamed(withNodes(resize, [act(), fail()]), 'failing'),
    renamed(without(withNodes(resize, [act()]), 'Report'), 'silent'),
    renamed(respondingAtOnce(withNodes(resize, [act(), waitForSomebody()])), 'immediate'),
    renamed(callingBackByItself(forgetful), 'forgetful'),
  ]
}

const respondingAtOnce = (workflow: N8nWorkflow): N8nWorkflow => ({
  ...without(workflow, 'Respond'),
  nodes: without(workflow, 'Respond').nodes.map((one) =>
    one.name === 'Webhook' ? { ...one, parameters: { ...one.parameters, responseMode: 'onReceived' } } : one,
  ),
})

/** Without a ledger, what its steps need is in the request. */
function callingBackByItself(workflow: N8nWorkflow): N8nWorkflow {
  const headers = `$('Webhook').first().json.headers`
  const row = `={{ { execution: $execution.id, is_new: true, output: $json, callback_url: ${headers}['segno-callback-url'], callback_token: ${headers}['segno-callback-token'] } }}`
  const nodes = workflow.nodes.map((one) => {
    if (one.name === 'Respond')
      return { ...one, parameters: { ...one.parameters, responseBody: '={{ { executionId: $execution.id } }}' } }
    if (one.name !== 'Result') return one
    const parameters = { mode: 'raw', jsonOutput: row, options: {} }
    return { ...one, type: 'n8n-nodes-base.set', typeVersion: 3.4, parameters }
  })
  const connections = {
    ...workflow.connections,
    Respond: { main: [workflow.connections['Is it new?']?.main[0] ?? []] },
  }
  return { ...workflow, nodes, connections }
}

export async function makeWorld(program: string, say: (what: string) => void): Promise<World> {
  const secret = randomBytes(16).toString('hex')
  const postgres = await startPostgres()
  const n8n = await makeN8n(program)
  const gate = await openGate(n8n)
  const segno = await makeSegno({ origins: [gate.url, n8n.url], script: SCRIPT })
  const close = async (): Promise<void> => {
    await segno.stop()
    await gate.close()
    await n8n.remove()
    await postgres.stop()
  }
  try {
    const ledger = await makeLedger(postgres.url)
    say('starting n8n')
    await n8n.start()
    say('importing the workflows')
    await importAsInTheDocs(n8n, secret, new URL(postgres.url))
    const changed = changedExamples()
    await n8n.importWorkflows(changed)
    await publish(
      n8n,
      changed.map(({ id }) => id).filter((id) => id !== 'unpublished'),
    )
    say('starting Segno')
    await segno.start()
    const workflows = new Map<string, string>()

    const webhook = (path: string) => ({
      url: `${gate.url}/webhook/${path}`,
      auth: { header: 'x-segno', value: secret },
    })
    const register: World['register'] = async (name, changes = {}) => {
      const target = {
        ...webhook(name),
        api: { url: `${n8n.url}/api/v1`, key: n8n.apiKey },
      }
      const description = `The workflow ${name} of n8n`
      const common = { name, description, engine: 'n8n', target, input: INPUT, output: OUTPUT, effect: 'keyed' }
      const { id = '' } = await segno.ask('POST', '/api/workflows', { ...common, retry: QUICK, ...changes })
      workflows.set(name, id)
      return id
    }
    for (const name of ['counted', 'patient', 'busy', 'failing', 'silent', 'immediate'])
      await register(name, { approval: 'auto' })
    await register('forgetful', { effect: 'unsafe' })
    await register('unasked', { target: webhook('busy') })
    return { n8n, segno, gate, ledger, secret, workflows, register, close }
  } catch (error) {
    say(n8n.said().slice(-3000))
    await close()
    throw error
  }
}

/** What the model says in a conversation. */
const SCRIPT = {
  scenarios: [
    {
      when: 'picture',
      turns: [
        { text: 'I will have it made smaller.', calls: [{ name: 'workflow_patient', args: { file: 'a.png' } }] },
        { text: 'It is smaller now.' },
      ],
    },
  ],
}
