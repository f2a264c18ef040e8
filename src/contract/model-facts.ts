/** Micro-dollars per million tokens. */
export interface Rates {
  readonly input: number
  readonly output: number
  /** input read from the provider's cache; by default the price of input */
  readonly cachedRead?: number
  /** input written to the provider's cache; by default the price of input */
  readonly cachedWrite?: number
}

/** The rates of a call, and other ones for the whole of a call whose input is longer. */
export interface Prices extends Rates {
  readonly steps?: readonly PriceStep[]
}

export interface PriceStep extends Rates {
  /** tokens of input */
  readonly above: number
}

/** What a model can do; nothing is sent to it that it would refuse. */
export interface Capabilities {
  readonly tools: boolean
  readonly parallelCalls: boolean
  /** whether it can think before it answers */
  readonly reasoning: boolean
  /** whether it takes a temperature; many that think refuse one */
  readonly takesTemperature: boolean
  /** whether it can be held to a JSON schema; otherwise it is only asked to keep to it */
  readonly structuredOutput: boolean
}
