import { join } from 'node:path'
import type { World } from './world.ts'

const FOLDER = join(import.meta.dirname, '../../../examples/n8n')

/** Registers an example with the lines of docs/workflows.md; the address goes through the gate of the test. */
export async function registerAsInTheDocs(world: World, name: string, path: string, api = false): Promise<string> {
  const { segno, gate, n8n, secret } = world
  const env = { N8N_SECRET: secret, N8N_API_KEY: n8n.apiKey }
  const target = ['--url', `${gate.url}/webhook/${path}`, '--auth-header', 'x-segno', '--auth-env', 'N8N_SECRET']
  const asking = api ? ['--api-url', `${n8n.url}/api/v1`, '--api-key-env', 'N8N_API_KEY'] : []
  const words = ['workflows', 'add', name, '--file', join(FOLDER, `${path}.segno.json`), ...target, ...asking]
  const { id } = JSON.parse(await segno.terminal([...words, '--json'], env)) as { id: string }
  world.workflows.set(name, id)
  return id
}
