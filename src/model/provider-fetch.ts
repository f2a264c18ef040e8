const NOT_A_STREAM = /^(?:text\/html|text\/xml|application\/xml|application\/json|application\/problem\+json|image\/)/i

/**
 * `fetch` for providers. A page of some proxy that answers 200 is told apart from a stream that was cut: asking again
 * would bring the same page.
 */
export const providerFetch: typeof fetch = async (input, init) => {
  const response = await fetch(input, init)
  const type = response.headers.get('content-type') ?? ''
  if (!response.ok || !NOT_A_STREAM.test(type)) return response
  void response.body?.cancel().catch(() => {})
  throw Object.assign(new Error('no stream'), { noStream: type.split(';', 1)[0], isRetryable: false })
}
