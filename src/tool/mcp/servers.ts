import { Problem } from '../../contract/problem.ts'
import { checkFields, TEXT, YES_OR_NO, type FieldRules } from '../../lib/check-fields.ts'
import { isObject, isStringRecord, isStringArray, type UnknownRecord } from '../../lib/type-guards.ts'
import { checkTools, type ToolSettings } from './tool-settings.ts'

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
  /** the only authorization server that gets the client's secret */
  readonly issuer?: string
  readonly redirectUrl?: string
  /** an https address with a description of Segno as a client, which is also the client's id */
  readonly clientMetadataUrl?: string
}

export type McpServer = StdioServer | HttpServer
export type McpServers = Readonly<Record<string, McpServer>>

/** Stands for the workspace folder in a command line. */
export const WORKSPACE_FOLDER = '${workspace}'

/** Whether its command line contains the workspace folder. */
export function isGivenFolder(server: McpServer): boolean {
  if (server.transport !== 'stdio') return false
  const { command, args, env, cwd = '' } = server
  return [command, ...args, ...Object.values(env), cwd].some((text) => text.includes(WORKSPACE_FOLDER))
}

const NAME = /^[a-z0-9-]{1,32}$/
const GRANTS: readonly unknown[] = ['authorization_code', 'client_credentials']

const COMMON: FieldRules<Common> = {
  tools: [isObject, 'an object of tools'],
  taints: YES_OR_NO,
  disabled: YES_OR_NO,
}

const STDIO: FieldRules<Omit<StdioServer, 'transport'>> = {
  ...COMMON,
  command: [(value) => typeof value === 'string' && value !== '', 'the program to run'],
  args: [isStringArray, 'a list of texts'],
  env: [isStringRecord, 'an object of texts'],
  cwd: [(value) => typeof value === 'string', 'a folder'],
}

const HTTP: FieldRules<Omit<HttpServer, 'transport'>> = {
  ...COMMON,
  url: [isHttpUrl, 'an address with http:// or https://, without a password'],
  headers: [areHeaders, 'an object of names and texts a header can have'],
  oauth: [(value) => value === false || isObject(value), 'false or an object'],
}

const OAUTH: FieldRules<OAuthSettings> = {
  clientId: TEXT,
  clientSecret: TEXT,
  scope: TEXT,
  grant: [(value) => GRANTS.includes(value), GRANTS.join(' or ')],
  issuer: TEXT,
  redirectUrl: TEXT,
  clientMetadataUrl: TEXT,
}

/** Reads SEGNO_MCP; throws a Problem that names every wrong field, but no values, because some are secret. */
export function readMcpServers(setting: string | object): McpServers {
  const faults: string[] = []
  const value = typeof setting === 'string' ? parse(setting) : setting
  if (!isObject(value))
    throw misconfigured(['SEGNO_MCP: expected an object of servers, such as { "files": { "command": "…" } }'])
  const servers = Object.entries(value).map(([name, one]): [string, McpServer | undefined] => {
    const at = `SEGNO_MCP.${name}`
    if (!NAME.test(name)) faults.push(`${at}: expected a name of 1 to 32 small letters, digits or "-"`)
    if (isObject(one)) return [name, readServer(one, at, faults)]
    faults.push(`${at}: expected an object with a "command" or a "url"`)
    return [name, undefined]
  })
  if (faults.length > 0) throw misconfigured(faults)
  return Object.fromEntries(servers) as McpServers
}

function readServer(one: UnknownRecord, at: string, faults: string[]): McpServer {
  const isHttp = one['url'] !== undefined
  if (isHttp === (one['command'] !== undefined)) faults.push(`${at} needs either a "command" or a "url"`)
  checkFields<object>(one, isHttp ? HTTP : STDIO, `${at}.`, faults)
  const { tools = {}, taints, disabled } = one
  if (isObject(tools)) checkTools(tools, `${at}.tools.`, faults)
  const common = { tools, taints: taints !== false, disabled: disabled === true }
  if (!isHttp) {
    const { command, args = [], env = {}, cwd } = one
    return { ...common, transport: 'stdio', command, args, env, cwd } as StdioServer
  }
  const { url, headers = {}, oauth = {} } = one
  if (isObject(oauth)) checkOAuth(oauth, at, faults)
  const hasOwn = isObject(headers) && Object.keys(headers).some((name) => name.toLowerCase() === 'authorization')
  return {
    ...common,
    transport: 'http',
    url,
    headers,
    oauth: hasOwn || oauth === false ? undefined : oauth,
  } as HttpServer
}

function checkOAuth(value: UnknownRecord, at: string, faults: string[]): void {
  checkFields(value, OAUTH, `${at}.oauth.`, faults)
  const { grant, clientId, clientSecret, issuer } = value
  if (clientSecret !== undefined && clientId === undefined)
    faults.push(`${at}.oauth.clientSecret needs a clientId as well`)
  if (clientSecret !== undefined && issuer === undefined)
    faults.push(`${at}.oauth.issuer: expected the authorization server the clientSecret belongs to`)
  if (grant === 'client_credentials' && clientSecret === undefined)
    faults.push(`${at}.oauth.clientSecret is needed for client_credentials`)
}

function isHttpUrl(text: unknown): boolean {
  if (typeof text !== 'string' || !URL.canParse(text)) return false
  const { protocol, username, password } = new URL(text)
  return (protocol === 'http:' || protocol === 'https:') && username === '' && password === ''
}

function areHeaders(headers: unknown): boolean {
  try {
    return isStringRecord(headers) && new Headers(headers) instanceof Headers
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
