import type { Dict } from '../../support/strict-provider/values.ts'

/** What a recording says, read by itself and not by Segno. */
export interface Contents {
  readonly text: string
  readonly reasoning: string
  /** those the application is asked to carry out; what the provider does itself is not among them */
  readonly calls: readonly SaidCall[]
  /** signatures and encrypted thoughts that must come back while its calls are being answered */
  readonly seals: readonly string[]
  /** the chunk with which the provider comes to its proper end */
  readonly endsAt: number | undefined
}

export interface SaidCall {
  readonly name: string
  /** arguments as they came */
  readonly raw: string
  /** the chunk with which the provider ended it */
  readonly endedAt: number | undefined
}

export type ReadContents = (chunks: readonly Dict[]) => Contents
