import { Problem } from '../../contract/problem.ts'
import { sha256 } from '../../lib/hash.ts'
import { boundedFetch } from './bounded-fetch.ts'
import { Login, whoseLogin, type LoginOptions } from './login.ts'
import type { McpOptions } from './mcp.ts'
import { loadSdk, type Sdk } from './sdk.ts'
import type { HttpServer } from './servers.ts'
import { plainReason } from './trouble.ts'

const ANSWER_BYTES = 1_000_000

/** Logins to HTTP servers. They use only the given fetch, because a server says where they lead. */
export function createAuthorization(options: McpOptions) {
  const { servers, tokens, clock } = options
  const fetchOf = (server: string) => boundedFetch(options.fetchOf(server), ANSWER_BYTES)

  function settingsOf(tenant: string, server: string): LoginOptions | undefined {
    const found = Object.hasOwn(servers, server) ? servers[server] : undefined
    if (found?.transport !== 'http' || found.oauth === undefined) return undefined
    const redirectUrl = found.oauth.redirectUrl ?? options.redirectUrl
    if (redirectUrl === undefined && found.oauth.grant !== 'client_credentials') return undefined
    return { tenant, server, settings: found.oauth, redirectUrl, tokens, now: () => clock.now() }
  }

  function demand(tenant: string, server: string): LoginOptions {
    if (!Object.hasOwn(servers, server)) {
      throw new Problem('NOT_FOUND', `There is no MCP server "${server}".`, { field: 'server' })
    }
    const settings = settingsOf(tenant, server)
    if (settings !== undefined) return settings
    const message = `The MCP server "${server}" has no login: it needs a "url", no "oauth": false, and an address to come back to.`
    throw new Problem('CONFLICT', message, { field: 'server' })
  }

  type Step = Omit<Parameters<Sdk['auth']>[1], 'serverUrl' | 'fetchFn'>
  async function authorize(login: Login, server: string, failed: string, step: Step): Promise<void> {
    const sdk = await loadSdk()
    try {
      const { url } = servers[server] as HttpServer
      await sdk.auth(login, { serverUrl: url, fetchFn: login.refreshAlone(fetchOf(server)), ...step })
    } catch (cause) {
      throw new Problem('TOOL_ERROR', `The login at "${server}" ${failed}: ${plainReason(cause, sdk)}.`, { cause })
    }
  }

  return {
    /** undefined: this server has no login */
    loginOf(tenant: string, server: string): Login | undefined {
      const settings = settingsOf(tenant, server)
      return settings && new Login(settings)
    },

    /** Changes with the tokens, without revealing them. */
    mark: async (tenant: string, server: string): Promise<string> =>
      sha256(JSON.stringify((await tokens.get(tenant, server))?.['tokens'] ?? null)),

    /** The address a person opens to let Segno use a server for their tenant. */
    async begin(tenant: string, server: string): Promise<{ readonly url: string }> {
      const login = new Login(demand(tenant, server))
      await authorize(login, server, 'cannot begin', { forceReauthorization: true })
      if (login.url === undefined)
        throw new Problem('CONFLICT', `The MCP server "${server}" needs no person to log in.`)
      return { url: login.url }
    },

    /** Takes what the browser brought back; `state` names the tenant and the server. */
    async finish({ state, code, iss }: { readonly state: string; readonly code: string; readonly iss?: string }) {
      const whose = whoseLogin(state)
      if (whose === undefined) throw unknownLogin()
      const login = new Login(demand(whose.tenant, whose.server), state)
      if (!(await login.isPending())) throw unknownLogin()
      try {
        await authorize(login, whose.server, 'failed', { authorizationCode: code, ...(iss !== undefined && { iss }) })
      } finally {
        // A code can be used once.
        await login.forgetPending()
      }
      return whose
    },
  }
}

function unknownLogin(): Problem {
  return new Problem('CONFLICT', 'This login was not begun here, or it was finished before; begin again.', {
    field: 'state',
  })
}
