import { Problem } from '../../contract/problem.ts'
import { isObject, isTextMap, isWords, type Loose } from '../../lib/is.ts'
import { readTools, unknownFields, type Fault, type ToolSettings } from './tool-settings.ts'

interface Common {
  readonly tools: Readonly<Record<string, ToolSettings>>
  readonly taints: boolean
  readonly disabled: boolean
}

export interface StdioServer extends Common {
  readonly transport: 'stdio'
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string | undefined
}

export interface HttpServer extends Common {
  readonly transport: 'http'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** undefined: never ask for authorization */
  readonly oauth: OAuthSettings | undefined
}

export interface OAuthSettings {
  readonly clientId?: string
  readonly clientSecret?: string
  readonly scope?: string
  readonly grant?: 'authorization_code' | 'client_credentials'
  /** the only authorization server the client's secret may be sent to */
  readonly issuer?: string
  readonly redirectUrl?: string
  /** an https address where a description of Segno as a client is published; it is used as the client's id */
  readonly clientMetadataUrl?: string
}

export type McpServer = StdioServer | HttpServer
export type McpServers = Readonly<Record<string, McpServer>>

/** Stands for the folder of the workspace in what a server is started with. */
export const WORKSPACE_FOLDER = '${workspace}'

/** Does its command line name the folder of the workspace? */
export function isGivenFolder(server: McpServer): boolean {
  if (server.transport !== 'stdio') return false
  const { command, args, env, cwd = '' } = server
  return [command, ...args, ...Object.values(env), cwd].some((text) => text.includes(WORKSPACE_FOLDER))
}

const NAME = /^[a-z0-9-]{1,32}$/
const COMMON = ['tools', 'taints', 'disabled']
const STDIO = [...COMMON, 'command', 'args', 'env', 'cwd']
const HTTP = [...COMMON, 'url', 'headers', 'oauth']
const OAUTH = ['clientId', 'clientSecret', 'scope', 'grant', 'issuer', 'redirectUrl', 'clientMetadataUrl']

/** Reads SEGNO_MCP. Throws a Problem that names every field that is wrong; values are not repeated, some are secret. */
export function readMcpServers(setting: string | object): McpServers {
  const faults: string[] = []
  const value = typeof setting === 'string' ? parse(setting) : setting
  if (!isObject(value))
    throw misconfigured(['SEGNO_MCP must be an object of servers, such as { "files": { "command": "…" } }'])
  const servers = Object.entries(value).map(([name, one]): [string, McpServer | undefined] => {
    const fault = (field: string, expected: string): void => {
      faults.push(`SEGNO_MCP.${name}${field && `.${field}`} ${expected}`)
    }
    if (!NAME.test(name)) fault('', 'must be named with 1 to 32 small letters, digits or "-"')
    if (isObject(one)) return [name, readServer(one, fault)]
    fault('', 'must be an object with a "command" or a "url"')
    return [name, undefined]
  })
  if (faults.length > 0) throw misconfigured(faults)
  return Object.fromEntries(servers) as McpServers
}

function readServer(one: Loose, fault: Fault): McpServer | undefined {
  const isHttp = one['url'] !== undefined
  if (isHttp === (one['command'] !== undefined)) fault('', 'needs either a "command" or a "url"')
  unknownFields(one, isHttp ? HTTP : STDIO, '', fault)
  if (one['taints'] !== undefined && typeof one['taints'] !== 'boolean') fault('taints', 'must be true or false')
  if (one['disabled'] !== undefined && typeof one['disabled'] !== 'boolean') fault('disabled', 'must be true or false')
  const common = {
    tools: readTools(one['tools'], fault),
    taints: one['taints'] !== false,
    disabled: one['disabled'] === true,
  }
  return isHttp ? readHttp(one, common, fault) : readStdio(one, common, fault)
}

function readStdio(one: Loose, common: Common, fault: Fault): StdioServer {
  const { command, args = [], env = {}, cwd } = one
  if (typeof command !== 'string' || command === '') fault('command', 'must be the program to run')
  if (!isWords(args)) fault('args', 'must be a list of texts')
  if (!isTextMap(env)) fault('env', 'must be an object of texts')
  if (cwd !== undefined && typeof cwd !== 'string') fault('cwd', 'must be a folder')
  return { ...common, transport: 'stdio', command, args, env, cwd } as StdioServer
}

function readHttp(one: Loose, common: Common, fault: Fault): HttpServer {
  const { url, headers = {}, oauth = {} } = one
  if (typeof url !== 'string' || !isHttpUrl(url))
    fault('url', 'must be an address with http:// or https://, without a password')
  if (!isTextMap(headers) || !areHeaders(headers))
    fault('headers', 'must be an object of names and texts a header can have')
  const settings = readOAuth(oauth, fault)
  const hasOwn = isTextMap(headers) && Object.keys(headers).some((name) => name.toLowerCase() === 'authorization')
  return { ...common, transport: 'http', url, headers, oauth: hasOwn ? undefined : settings } as HttpServer
}

function readOAuth(value: unknown, fault: Fault): OAuthSettings | undefined {
  if (value === false) return undefined
  if (!isObject(value)) {
    fault('oauth', 'must be false or an object')
    return undefined
  }
  unknownFields(value, OAUTH, 'oauth.', fault)
  for (const field of OAUTH) {
    if (value[field] !== undefined && typeof value[field] !== 'string') fault(`oauth.${field}`, 'must be a text')
  }
  const { grant, clientId, clientSecret, issuer } = value
  if (grant !== undefined && grant !== 'authorization_code' && grant !== 'client_credentials') {
    fault('oauth.grant', 'must be authorization_code or client_credentials')
  }
  if (clientSecret !== undefined && clientId === undefined) fault('oauth.clientSecret', 'needs a clientId as well')
  if (clientSecret !== undefined && issuer === undefined) {
    fault('oauth.issuer', 'must name the authorization server the clientSecret belongs to')
  }
  if (grant === 'client_credentials' && clientSecret === undefined) {
    fault('oauth.clientSecret', 'is needed for client_credentials')
  }
  return value
}

function isHttpUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, username, password } = new URL(text)
  return (protocol === 'http:' || protocol === 'https:') && username === '' && password === ''
}

function areHeaders(headers: Readonly<Record<string, string>>): boolean {
  try {
    return new Headers(headers) instanceof Headers
  } catch {
    return false
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw misconfigured(['SEGNO_MCP is not JSON'])
  }
}

function misconfigured(faults: readonly string[]): Problem {
  return new Problem('CONFIG_ERROR', `${faults.join('; ')}.`, { field: 'SEGNO_MCP' })
}
