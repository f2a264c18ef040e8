const WORDS: readonly (readonly [RegExp, string])[] = [
  [/^rate limited$/, 'rate_limited'],
  [/^overloaded$/, 'overloaded'],
  [/^the provider answered 4\d\d/, 'provider_4xx'],
  [/^the provider answered 5\d\d/, 'provider_5xx'],
  [/^the provider failed/, 'failed'],
  [/^the provider sent something that makes no sense$/, 'senseless'],
  [/^the provider did not answer within \d+ ms$/, 'connect'],
  [/^the connection to the model failed$/, 'connection'],
  [/^the stream was cut$/, 'cut'],
  [/^the answer does not fit its schema$/, 'misfit'],
  [/^the model said nothing for \d+ ms$/, 'silence'],
]

export const RETRY_LABELS: readonly string[] = WORDS.map(([, word]) => word)

/** Maps the sentence of a retry's reason to one of few metric labels. */
export function retryLabel(reason: string): string {
  return WORDS.find(([sentence]) => sentence.test(reason))?.[1] ?? 'other'
}
