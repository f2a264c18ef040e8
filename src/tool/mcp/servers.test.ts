import { expect, test } from 'vitest'
import { readMcpServers } from './servers.ts'

const fault = (setting: unknown): string => {
  try {
    readMcpServers(setting as object)
    return 'none'
  } catch (error) {
    return (error as Error).message
  }
}

test('reads servers of both kinds, from JSON or an object, and fills in what is left out', () => {
  const servers = {
    files: { command: 'mcp-files', args: ['${workspace}'], env: { A: '1' }, tools: { '*': { effect: 'pure' } } },
    far: { url: 'https://mcp.example/mcp', headers: { 'x-key': 'k' }, taints: false, disabled: true },
    keyed: { url: 'https://mcp.example/mcp', headers: { Authorization: 'Bearer k' } },
  }
  const read = readMcpServers(JSON.stringify(servers))
  expect(read).toEqual(readMcpServers(servers))
  expect(read['files']).toEqual({ ...servers.files, transport: 'stdio', cwd: undefined, taints: true, disabled: false })
  expect(read['far']).toMatchObject({ transport: 'http', taints: false, disabled: true, oauth: {}, tools: {} })
  expect(read['keyed']).toMatchObject({ oauth: undefined })
})

test.each([
  ['not JSON', 'SEGNO_MCP is not JSON.'],
  [[], 'SEGNO_MCP: expected an object of servers, such as { "files": { "command": "…" } }.'],
  [{ 'Bad name': { command: 'x' } }, 'SEGNO_MCP.Bad name: expected a name of 1 to 32 small letters, digits or "-".'],
  [{ a: 'x' }, 'SEGNO_MCP.a: expected an object with a "command" or a "url".'],
  [{ a: {} }, 'SEGNO_MCP.a needs either a "command" or a "url".'],
  [
    { a: { command: 'x', argv: [] } },
    'SEGNO_MCP.a.argv is not known; expected tools, taints, disabled, command, args, env, cwd.',
  ],
  [{ a: { command: 'x', args: 'y' } }, 'SEGNO_MCP.a.args: expected a list of texts.'],
  [{ a: { command: 'x', env: { A: 1 } } }, 'SEGNO_MCP.a.env: expected an object of texts.'],
  [{ a: { command: 'x', taints: 'no' } }, 'SEGNO_MCP.a.taints: expected true or false.'],
  [{ a: { url: 'ftp://x' } }, 'SEGNO_MCP.a.url: expected an address with http:// or https://, without a password.'],
  [
    { a: { url: 'https://u:p@x' } },
    'SEGNO_MCP.a.url: expected an address with http:// or https://, without a password.',
  ],
  [
    { a: { url: 'https://x', headers: { 'a b': 'c' } } },
    'SEGNO_MCP.a.headers: expected an object of names and texts a header can have.',
  ],
  [
    { a: { url: 'https://x', oauth: { grant: 'magic' } } },
    'SEGNO_MCP.a.oauth.grant: expected authorization_code or client_credentials.',
  ],
  [
    { a: { url: 'https://x', oauth: { clientId: 'i', clientSecret: 'hidden' } } },
    'SEGNO_MCP.a.oauth.issuer: expected the authorization server the clientSecret belongs to.',
  ],
  [
    { a: { command: 'x', tools: { t: { effect: 'verifiable' } } } },
    'SEGNO_MCP.a.tools.t.effect: expected pure, keyed or unsafe.',
  ],
  [
    { a: { command: 'x', tools: { t: { approval: 'never' } } } },
    'SEGNO_MCP.a.tools.t.approval: expected auto, ask or always.',
  ],
  [
    { a: { command: 'x', tools: { t: { reach: ['moon'] } } } },
    'SEGNO_MCP.a.tools.t.reach: expected a list of outward and secrets.',
  ],
  [
    { a: { command: 'x', tools: { t: { cost: -1 } } } },
    'SEGNO_MCP.a.tools.t.cost: expected micro-dollars, "unknown", or { each, unit, field }.',
  ],
  [
    { a: { command: 'x', tools: { t: { quota: { perDay: 1 } } } } },
    'SEGNO_MCP.a.tools.t.quota: expected { perHour, concurrent }, whole numbers from 0.',
  ],
  [
    { a: { command: 'x', tools: { t: { timeoutMs: 0 } } } },
    'SEGNO_MCP.a.tools.t.timeoutMs: expected a whole number above 0.',
  ],
])('refuses %j and says which field it is', (setting, message) => {
  expect(fault(setting)).toBe(message)
})

test('takes a quota of nothing, as every other tool does', () => {
  const quota = { perHour: 0, concurrent: 0 }
  expect(readMcpServers({ a: { command: 'x', tools: { t: { quota } } } })['a']?.tools['t']).toEqual({ quota })
})

test('repeats no value of a setting, for some are secret', () => {
  expect(
    fault({ a: { url: 'https://x', headers: { a: 'hidden\n' }, oauth: { clientSecret: 'hidden' } } }),
  ).not.toContain('hidden')
})
