import { Option, type Command } from 'commander'
import type { Wire } from '../../../client/index.ts'
import type { QuarantinedTool, ServerStatus } from '../../../contract/mcp.ts'
import { MODES } from '../../../contract/outcome.ts'
import type { Explanation } from '../../../contract/policy.ts'
import { Problem } from '../../../contract/problem.ts'
import { visible } from '../../../lib/visible.ts'
import { duration, money } from '../chat/words.ts'
import { jsonObject, listed, subcommand, type Answer, type Cli } from '../cli.ts'
import type { Reached } from '../reach.ts'

/** The policy and MCP servers. */
export function gateTopic(segno: Command, { looking }: Cli): void {
  const policy = segno.command('policy').description('what tools may do')
  subcommand(
    policy,
    'explain <tool> [args]',
    'say what would be decided about a call, by which rule and why; nothing is called',
    'segno policy explain web_fetch \'{"url": "https://example.org"}\'',
  )
    .addOption(new Option('--mode <mode>', 'in which kind of round').choices(MODES))
    .option('--workspace <id>', 'in which workspace')
    .option('--tainted', 'suppose that the conversation holds text from outside')
    .action(looking(explainPolicy))

  const mcp = segno.command('mcp').description('servers of tools that others wrote')
  subcommand(mcp, 'ls', 'how they are, with their tools').action(looking(listServers))
  subcommand(
    mcp,
    'approve <server> <tool> [hash]',
    'show what changed in a tool that is held back, or trust exactly the definition with this hash',
  ).action(looking(approveTool))
}

interface ExplainFlags {
  readonly mode?: string
  readonly workspace?: string
  readonly tainted?: boolean
}

async function explainPolicy(
  { client }: Reached,
  tool: string,
  text: string | undefined,
  { mode, workspace, tainted }: ExplainFlags,
): Promise<Answer> {
  const args = text === undefined ? {} : jsonObject(text, 'The arguments')
  const found = await client.requestJson<Explanation>('POST', '/api/policy/explain', {
    body: { tool, args, mode, workspaceId: workspace, tainted },
    fields: ['verdict', 'decidedBy', 'because', 'fitting'],
  })
  const { verdict, decidedBy, because, fitting, estimate } = found
  const lines = [
    `${tool}: ${wordsOf(verdict)}`,
    `  because     ${because}`,
    `  decided by  ${decidedBy}`,
    ...(estimate ? [`  costs       ${costWords(estimate)}, within ${duration(estimate.latencyMs)}`] : []),
    `  rules       ${fitting.length === 0 ? 'none fits' : `${fitting.join(', ')} ${fitting.length > 1 ? 'fit; the first one counts' : 'fits'}`}`,
  ]
  return { json: found, text: lines.join('\n') }
}

function costWords({ cost, tokens, confidence }: NonNullable<Explanation['estimate']>): string {
  const asks = tokens > 0 ? `, ${tokens} tokens` : ''
  switch (confidence) {
    case 'exact':
      return `${money(cost)}${asks}`
    case 'estimate':
      return `at most ${money(cost)}${asks}`
    case 'unknown':
    case 'unpriced':
      return `nobody said what${asks}`
    case 'failed':
      return 'what could not be worked out'
  }
}

function wordsOf(verdict: Explanation['verdict']): string {
  switch (verdict.kind) {
    case 'allow':
      return 'allowed'
    case 'ask':
      return `a person is asked${verdict.rememberable ? '' : ', each time'}`
    case 'refuse':
      return `refused (${verdict.code})`
  }
}

async function listServers({ client }: Reached): Promise<Answer> {
  const none = 'There are no MCP servers. Name some in SEGNO_MCP (docs/mcp.md).'
  return listed(await client.list<Wire<ServerStatus>>('/api/mcp'), serverText, none)
}

function serverText(server: Wire<ServerStatus>): string {
  const { name, transport, state, disabled, workspaceId, restarts, error, authorizeUrl, tools } = server
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

/** Shows the change first; the hash makes sure that exactly this definition is approved. */
async function approveTool(
  { client }: Reached,
  server: string,
  tool: string,
  hash: string | undefined,
): Promise<Answer> {
  // Starts the servers, so that they report their tools.
  await client.list('/api/mcp')
  if (hash !== undefined) {
    await client.requestEmpty('POST', `/api/mcp/${encodeURIComponent(server)}/approve`, { body: { tool, hash } })
    return { json: { server, tool, hash, approved: true }, text: `${server}__${tool} is trusted as it is now.` }
  }
  const items = await client.list<QuarantinedTool>('/api/mcp/quarantined')
  const found = items.find((one) => one.server === server && one.tool === tool)
  if (!found) throw new Problem('NOT_FOUND', `${server}__${tool} is not held back; segno mcp ls tells what there is.`)
  const command = `segno mcp approve ${server} ${word(tool)} ${found.hash}`
  return { json: found, text: `${found.diff}\n\nIf you trust this:\n  ${command}` }
}

/** Quotes a foreign name for a shell. */
function word(name: string): string {
  return /^[\w.-]+$/.test(name) ? name : `'${visible(name).replaceAll("'", String.raw`'\''`)}'`
}
