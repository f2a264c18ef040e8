import type {
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client'
import { randomBytes } from 'node:crypto'
import type { JsonObject } from '../../contract/message.ts'
import { keyOf } from '../../lib/key-of.ts'
import { isObject } from '../../lib/is.ts'
import type { AuthRecord, TokenStore } from './ports.ts'
import type { OAuthSettings } from './servers.ts'

/** Logins that were begun and not finished; the oldest are forgotten. */
const MOST_PENDING = 20

export interface LoginOptions {
  readonly tenant: string
  readonly server: string
  readonly settings: OAuthSettings
  readonly redirectUrl: string | undefined
  readonly tokens: TokenStore
  /** several connections may write the same record */
  readonly alone: (key: string, work: () => Promise<void>) => Promise<void>
  readonly now: () => number
}

interface Pending {
  readonly verifier: string
  readonly at: number
}

/**
 * What the SDK asks when a server wants to know who we are, kept in the token store under tenant and server. Several
 * logins may be begun at once, each is finished by its own state.
 */
export class Login implements OAuthClientProvider {
  /** where a person lets Segno in; there once the server wanted it */
  url: string | undefined
  #state = ''
  #shown: StoredOAuthTokens | undefined
  readonly #options: LoginOptions

  /** `state`: of the login that is to be finished */
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

  redirectToAuthorization(url: URL): void {
    this.url = url.href
  }

  async saveCodeVerifier(verifier: string): Promise<void> {
    const state = this.#state
    await this.#write((record) => {
      const pending = { ...pendingOf(record), [state]: { verifier, at: this.#options.now() } }
      const newest = Object.entries(pending).sort(([, a], [, b]) => b.at - a.at)
      return { pending: Object.fromEntries(newest.slice(0, MOST_PENDING)) as unknown as JsonObject }
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
      // Another connection may have refreshed them meanwhile: only those that were refused are thrown away.
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

  /** Without a person: the SDK uses it where there is no address to come back to. */
  prepareTokenRequest(scope?: string): URLSearchParams | undefined {
    if (!this.#isMachine) return undefined
    return new URLSearchParams({ grant_type: 'client_credentials', ...(scope !== undefined && { scope }) })
  }

  /** Is this the state of a login that was begun and not finished? */
  async isPending(): Promise<boolean> {
    return Object.hasOwn(pendingOf(await this.#read()), this.#state)
  }

  async forgetPending(): Promise<void> {
    await this.#write((record) => {
      const { [this.#state]: _, ...others } = pendingOf(record)
      return { pending: others as unknown as JsonObject }
    })
  }

  async #read(): Promise<AuthRecord> {
    const { tenant, server, tokens } = this.#options
    return (await tokens.get(tenant, server)) ?? {}
  }

  /** `null` takes a field away. */
  async #write(change: (record: AuthRecord) => AuthRecord): Promise<void> {
    const { tenant, server, tokens, alone } = this.#options
    await alone(keyOf(tenant, server), async () => {
      const record = await this.#read()
      const all = Object.entries({ ...record, ...change(record) }).filter(([, value]) => value !== null)
      await tokens.put(tenant, server, Object.fromEntries(all))
    })
  }
}

/** Whose login a state belongs to; undefined if it is none of ours. */
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

function pendingOf(record: AuthRecord): Record<string, Pending> {
  return isObject(record['pending']) ? (record['pending'] as unknown as Record<string, Pending>) : {}
}
