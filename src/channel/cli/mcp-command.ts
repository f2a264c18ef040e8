import { Problem } from '../../contract/problem.ts'
import type { McpService } from '../../tool/index.ts'
import { visible } from '../../lib/visible.ts'
import { nothingIn, itemsOf } from './read-answer.ts'
import type { Reached } from './reach.ts'

type Server = Awaited<ReturnType<McpService['status']>>[number]

export async function listServers({ ask }: Reached, json: boolean): Promise<string> {
  const items = await itemsOf<Server>(await ask('GET', '/api/mcp'))
  if (json) return JSON.stringify(items)
  return items.length === 0
    ? 'There are no MCP servers. Name some in SEGNO_MCP (docs/mcp.md).'
    : items.map(describe).join('\n')
}

function describe({
  name,
  transport,
  state,
  disabled,
  workspaceId,
  restarts,
  error,
  authorizeUrl,
  tools,
}: Server): string {
  const where = workspaceId === undefined ? '' : ` in ${workspaceId}`
  const again = restarts === 0 ? '' : `, started again ${restarts} times`
  return [
    `${name} (${transport})${where}: ${disabled ? 'disabled' : state}${again}${error === undefined ? '' : ` — ${visible(error)}`}`,
    ...(authorizeUrl === undefined ? [] : [`  open to let Segno in: ${visible(authorizeUrl)}`]),
    ...tools.map(
      (tool) => `  ${tool.as}  ${tool.state}${tool.reason === undefined ? '' : ` — ${visible(tool.reason)}`}`,
    ),
  ].join('\n')
}

/** Without a hash it only shows what changed: a person approves what they saw, and nothing that came since. */
export async function approveTool(
  { ask }: Reached,
  server: string,
  tool: string,
  hash: string | undefined,
  json: boolean,
): Promise<string> {
  // The servers of this installation must have said what they offer.
  await ask('GET', '/api/mcp')
  if (hash !== undefined) {
    nothingIn(await ask('POST', `/api/mcp/${encodeURIComponent(server)}/approve`, { tool, hash }))
    return json ? JSON.stringify({ server, tool, hash, approved: true }) : `${server}__${tool} is trusted as it is now.`
  }
  const items = await itemsOf<Awaited<ReturnType<McpService['quarantined']>>[number]>(
    await ask('GET', '/api/mcp/quarantined'),
  )
  const found = items.find((one) => one.server === server && one.tool === tool)
  if (!found) throw new Problem('NOT_FOUND', `${server}__${tool} is not held back; segno mcp ls tells what there is.`)
  if (json) return JSON.stringify(found)
  return `${found.diff}\n\nIf you trust this:\n  segno mcp approve ${server} ${word(tool)} ${found.hash}`
}

/** A name that somebody else chose, as one word of a command that can be copied. */
function word(name: string): string {
  return /^[\w.-]+$/.test(name) ? name : `'${visible(name).replaceAll("'", String.raw`'\''`)}'`
}
