import assert from 'node:assert/strict'
import { join } from 'node:path'
import type { N8n } from './n8n-process.ts'

const FOLDER = join(import.meta.dirname, '../../../examples/n8n')
const PUBLISHED = ['segnoResize', 'segnoLookUp', 'segnoFailed']

/** What docs/workflows.md tells somebody new to do in n8n: two credentials, one command, and to publish. */
export async function importAsInTheDocs(n8n: N8n, secret: string, ledger: URL): Promise<void> {
  const { hostname, port, username, password, pathname } = ledger
  const database = { host: hostname, port: Number(port), user: username, password, database: pathname.slice(1) }
  const header = { name: 'x-segno', value: secret }
  // Found by their names: n8n gives them ids of its own.
  await made(n8n, { name: 'Segno', type: 'httpHeaderAuth', data: header })
  await made(n8n, { name: 'Segno ledger', type: 'postgres', data: { ...database, ssl: 'disable' } })
  const said = await n8n.command('import:workflow', '--separate', `--input=${FOLDER}`)
  assert.match(said, /Successfully imported 3 workflows/)
  await publish(n8n, PUBLISHED)
}

async function made(n8n: N8n, credential: object): Promise<void> {
  const { status, body } = await n8n.api('POST', '/credentials', credential)
  assert.equal(status, 200, `n8n refused a credential: ${JSON.stringify(body)}`)
}

export async function publish(n8n: N8n, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    const { status, body } = await n8n.api('POST', `/workflows/${id}/activate`)
    assert.equal(status, 200, `n8n does not publish ${id}: ${JSON.stringify(body)}`)
  }
}
