import { compose } from '../../src/app.ts'
import type { Segno } from '../../src/segno.ts'
import { storeSettings } from '../support/store-under-test.ts'

/** A Segno with a task server, and a model that calls its tool once. */
export async function openWithTasks(home: string, url: string, effect: string, now = () => Date.now()): Promise<Segno> {
  const tools = { work: { approval: 'auto', reach: [], effect } }
  return compose(
    {
      home,
      env: { ...(await storeSettings(home)), SEGNO_MCP: JSON.stringify({ lab: { url, tools } }) },
      builtInTools: false,
      limits: { RETRY_BASE_MS: 1, DRAIN_MS: 50 },
      model: { scenarios: [{ when: '', turns: [{ calls: [{ name: 'lab__work', args: {} }] }, { text: 'Done.' }] }] },
    },
    { clock: { now } },
  )
}
