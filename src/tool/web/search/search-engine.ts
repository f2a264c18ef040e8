/** What is looked for, and how recent it has to be. */
export interface SearchQuery {
  readonly text: string
  readonly count: number
  readonly within: Within | undefined
}

export const WITHIN = ['day', 'month', 'year'] as const
export type Within = (typeof WITHIN)[number]

/** What an engine says of a page; unchecked. */
export interface Hit {
  readonly title: unknown
  readonly url: unknown
  readonly text: unknown
  readonly date: unknown
}

/** How one engine is asked and read; nothing here sends anything. */
export interface SearchEngine {
  /** for people */
  readonly name: string
  request(query: SearchQuery): { readonly url: URL; readonly init: RequestInit }
  /** The hits in an answer, undefined if it is not an answer of this engine. */
  hits(answer: unknown): readonly Hit[] | undefined
  /** What a status that is no success means, if this engine means something of its own by it. */
  readonly refusals: Readonly<Record<number, string>>
}

/** How an engine is reached; `url` only if it is not where it usually is. */
export interface EngineAddress {
  readonly url: string | undefined
  readonly key: string | undefined
}
