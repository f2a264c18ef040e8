import type { ShownWorkspace, WorkspaceContext } from '../../client/index.ts'
import { visible, visibleText } from '../../lib/visible.ts'

export function workspaceLine({ id, name, models, mcpServers, files, dynamicContext }: ShownWorkspace): string {
  const some = [
    ...(models.length > 0 ? [`models: ${models.map(visible).join(', ')}`] : []),
    ...(mcpServers.length > 0 ? [`servers: ${mcpServers.map(visible).join(', ')}`] : []),
    ...(files.length > 0 ? [`files: ${files.length}`] : []),
    ...(dynamicContext.length > 0 ? [`calls: ${dynamicContext.length}`] : []),
  ]
  return [`${visible(id)}  ${visible(name)}`, ...some].join(', ')
}

/** All of it, with its instructions. */
export function workspaceText(workspace: ShownWorkspace): string {
  const { folder, files, dynamicContext, promptSettings, instructions } = workspace
  const told = Object.entries({ ...promptSettings }).flatMap(([name, isTold]) => (isTold ? [WORDS[name] ?? name] : []))
  return [
    workspaceLine(workspace),
    `  folder ${visible(folder)}`,
    `  told besides a message: ${told.join(', ') || 'nothing'}`,
    ...files.map((path) => `  file ${visible(path)}`),
    ...dynamicContext.map(
      ({ name, server, tool, args, everyMs }) =>
        `  call ${visible(name)}: ${visible(server)} ${visible(tool)} ${visible(JSON.stringify(args))}, every ${everyMs / 1000} s`,
    ),
    ...(instructions === '' ? [] : ['', visibleText(instructions)]),
  ].join('\n')
}

const WORDS: Readonly<Record<string, string>> = {
  metadata: 'the workspace',
  systemInfo: 'which Segno this is',
  date: 'the date',
}

export function contextLine({ kind, name, chars, fetchedAt, error }: WorkspaceContext): string {
  const what = `${kind === 'file' ? 'file' : 'call'} ${visible(name)}`
  if (error !== undefined) return `${what}: ${visible(error)}`
  if (chars === undefined) return `${what}: not made yet; a conversation or \`segno workspaces refresh\` does`
  const when = kind === 'context' && fetchedAt !== undefined ? `, fetched at ${fetchedAt}` : ''
  return `${what}: ${chars} characters${when}`
}
