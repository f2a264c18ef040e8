type Texts = Readonly<Record<string, string>>

/** Without dots: `openai.responses` is a name of OpenAI's own API, whose prices its models would have. */
export const PROVIDER_NAME = /^[a-z0-9][a-z0-9-]{0,39}$/

/** A provider of models as an operator set it over HTTP, without what is secret. */
export interface ProviderRecord {
  readonly name: string
  /** `openai-compatible`, or the name of a built-in provider */
  readonly kind: string
  readonly baseURL?: string
  readonly headers?: Texts
  readonly query?: Texts
  /** runs on own machines: its models cost nothing */
  readonly local?: boolean
  /** a key is stored */
  readonly hasKey: boolean
  /** names of headers and query parameters whose values are secret */
  readonly secretHeaders: readonly string[]
  readonly secretQuery: readonly string[]
  readonly updatedAt: number
}

/** What an operator sets; what is left out stays as it is, and null takes it away. */
export interface ProviderInput {
  /** of a new one by default its name, or `openai-compatible` */
  readonly kind?: string
  readonly baseURL?: string | null
  readonly key?: string | null
  readonly headers?: Texts | null
  readonly query?: Texts | null
  readonly local?: boolean
}

/** A provider as operators see it: no key, and no secret value of a header. */
export interface ProviderView
  extends Pick<ProviderRecord, 'name' | 'kind' | 'hasKey'>, Partial<Omit<ProviderRecord, 'name' | 'kind' | 'hasKey'>> {
  /** the setting it comes from, which cannot be changed over HTTP */
  readonly setting?: string
  /** why it cannot be used */
  readonly missing?: string
}

export interface ProviderTest {
  readonly ok: boolean
  /** what came of it, in a sentence */
  readonly message: string
}
