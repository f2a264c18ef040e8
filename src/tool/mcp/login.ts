import type {
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client'
import { randomBytes } from 'node:crypto'
import type { JsonObject } from '../../contract/message.ts'
import { isObject } from '../../lib/type-guards.ts'
import type { TokenStore } from './ports.ts'
import type { OAuthSettings } from './servers.ts'

/** Unfinished logins that are kept; the oldest are forgotten. */
const MOST_PENDING = 20

export interface LoginOptions {
  readonly tenant: string
  readonly server: string
  readonly settings: OAuthSettings
  readonly redirectUrl: string | undefined
  readonly tokens: TokenStore
  readonly now: () => number
}

/** The login of a tenant at a server, for the SDK, kept in the token store; `state` tells unfinished logins apart. */
export class Login implements OAuthClientProvider {
  /** where a person logs in; set when the server asks for it */
  url: string | undefined
  #state = ''
  #shown: StoredOAuthTokens | undefined
  readonly #options: LoginOptions

  /** `state`: of the login to finish */
  constructor(options: LoginOptions, state = '') {
    this.#options = options
    this.#state = state
  }

  get redirectUrl(): string | undefined {
    return this.#isMachine ? undefined : this.#options.redirectUrl
  }

  get clientMetadata(): OAuthClientMetadata {
    const { settings } = this.#options
    const { redirectUrl } = this
    return {
      client_name: 'Segno',
      redirect_uris: redirectUrl === undefined ? [] : [redirectUrl],
      grant_types: this.#isMachine ? ['client_credentials'] : ['authorization_code', 'refresh_token'],
      ...(!this.#isMachine && { response_types: ['code'] }),
      ...(settings.scope !== undefined && { scope: settings.scope }),
    }
  }

  get clientMetadataUrl(): string {
    return this.#options.settings.clientMetadataUrl ?? ''
  }

  get #isMachine(): boolean {
    return this.#options.settings.grant === 'client_credentials'
  }

  state(): string {
    const { tenant, server } = this.#options
    this.#state = `${Buffer.from(JSON.stringify([tenant, server])).toString('base64url')}.${randomBytes(24).toString('base64url')}`
    return this.#state
  }

  async clientInformation(): Promise<StoredOAuthClientInformation | undefined> {
    const { clientId, clientSecret, issuer } = this.#options.settings
    if (clientId !== undefined) {
      return {
        client_id: clientId,
        ...(clientSecret !== undefined && { client_secret: clientSecret }),
        ...(issuer !== undefined && { issuer }),
      }
    }
    return (await this.#read())['client'] as StoredOAuthClientInformation | undefined
  }

  async saveClientInformation(client: StoredOAuthClientInformation): Promise<void> {
    if (this.#options.settings.clientId === undefined)
      await this.#write(() => ({ client: client as unknown as JsonObject }))
  }

  async tokens(): Promise<StoredOAuthTokens | undefined> {
    this.#shown = (await this.#read())['tokens'] as StoredOAuthTokens | undefined
    return this.#shown
  }

  async saveTokens(tokens: StoredOAuthTokens): Promise<void> {
    await this.#write(() => ({ tokens: tokens as unknown as JsonObject }))
  }

  /**
   * A refresh token may work only once, and using it twice may invalidate all tokens. So one connection of all nodes
   * refreshes at a time, and those that wait get its result.
   */
  refreshAlone(send: typeof fetch): typeof fetch {
    const { tenant, server, tokens } = this.#options
    return async (input, init) => {
      const used = refreshTokenIn(init?.body)
      if (used === undefined) return send(input, init)
      let answer: Response | undefined
      const changing = tokens.change(tenant, server, async (record) => {
        const known = record['tokens'] as JsonObject | null | undefined
        if (known && known['refresh_token'] !== used) {
          answer = Response.json(known)
          return undefined
        }
        answer = await send(input, init)
        const got: unknown = answer.ok ? await answer.clone().json() : undefined
        if (!isObject(got) || typeof got['access_token'] !== 'string') return undefined
        return { ...record, tokens: { ...known, ...(got as JsonObject) } }
      })
      await changing.catch((error: unknown) => {
        // New tokens that could not be stored are still returned; the SDK stores them again.
        if (!answer?.ok) throw error
      })
      return answer ?? send(input, init)
    }
  }

  redirectToAuthorization(url: URL): void {
    this.url = url.href
  }

  async saveCodeVerifier(verifier: string): Promise<void> {
    const state = this.#state
    await this.#write((record) => {
      const pending = { ...pendingOf(record), [state]: { verifier, at: this.#options.now() } }
      const newest = Object.entries(pending).sort(([, a], [, b]) => b.at - a.at)
      return { pending: Object.fromEntries(newest.slice(0, MOST_PENDING)) }
    })
  }

  async codeVerifier(): Promise<string> {
    const { verifier } = pendingOf(await this.#read())[this.#state] ?? {}
    if (verifier === undefined) throw new Error('This login was not begun here.')
    return verifier
  }

  async invalidateCredentials(what: 'all' | 'client' | 'tokens' | 'verifier' | 'discovery'): Promise<void> {
    const isTokens = what === 'all' || what === 'tokens'
    await this.#write((record) => {
      // Another connection may have refreshed them, so only the refused tokens are dropped.
      const isOurs = JSON.stringify(record['tokens']) === JSON.stringify(this.#shown)
      return {
        ...(isTokens && isOurs && { tokens: null }),
        ...((what === 'all' || what === 'client') && { client: null }),
        ...((what === 'all' || what === 'discovery') && { discovery: null }),
      }
    })
  }

  async saveDiscoveryState(state: OAuthDiscoveryState): Promise<void> {
    await this.#write(() => ({ discovery: state as unknown as JsonObject }))
  }

  async discoveryState(): Promise<OAuthDiscoveryState | undefined> {
    return (await this.#read())['discovery'] as OAuthDiscoveryState | undefined
  }

  /** For logins without a person, which have no redirect URL. */
  prepareTokenRequest(scope?: string): URLSearchParams | undefined {
    if (!this.#isMachine) return undefined
    return new URLSearchParams({ grant_type: 'client_credentials', ...(scope !== undefined && { scope }) })
  }

  /** Whether this is the state of an unfinished login. */
  async isPending(): Promise<boolean> {
    return Object.hasOwn(pendingOf(await this.#read()), this.#state)
  }

  async forgetPending(): Promise<void> {
    await this.#write((record) => {
      const { [this.#state]: _, ...others } = pendingOf(record)
      return { pending: others }
    })
  }

  async #read(): Promise<JsonObject> {
    const { tenant, server, tokens } = this.#options
    return (await tokens.get(tenant, server)) ?? {}
  }

  /** `null` removes a field. */
  async #write(change: (record: JsonObject) => JsonObject): Promise<void> {
    const { tenant, server, tokens } = this.#options
    await tokens.change(tenant, server, async (record) => {
      const all = Object.entries({ ...record, ...change(record) }).filter(([, value]) => value !== null)
      return Object.fromEntries(all)
    })
  }
}

/** The tenant and server of a state; undefined if it is not ours. */
export function whoseLogin(state: string): { tenant: string; server: string } | undefined {
  try {
    const named: unknown = JSON.parse(Buffer.from(state.split('.')[0] ?? '', 'base64url').toString('utf8'))
    if (!Array.isArray(named)) return undefined
    const [tenant, server] = named as unknown[]
    return typeof tenant === 'string' && typeof server === 'string' ? { tenant, server } : undefined
  } catch {
    return undefined
  }
}

/** The refresh token in a request for new tokens. */
function refreshTokenIn(body: unknown): string | undefined {
  if (!(body instanceof URLSearchParams) || body.get('grant_type') !== 'refresh_token') return undefined
  return body.get('refresh_token') ?? undefined
}

function pendingOf(record: JsonObject) {
  const pending = isObject(record['pending']) ? record['pending'] : {}
  return pending as unknown as Record<string, { readonly verifier: string; readonly at: number }>
}
