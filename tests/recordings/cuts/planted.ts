import type { LanguageModelV4, LanguageModelV4StreamPart } from '@ai-sdk/provider'

type Parts = ReadableStream<LanguageModelV4StreamPart>

const withStream = (language: LanguageModelV4, change: (stream: Parts) => Parts): LanguageModelV4 => ({
  ...language,
  async doStream(options) {
    const { stream } = await language.doStream(options)
    return { stream: change(stream) }
  },
})

/** Reads to the end, however that comes. */
async function* partsOf(stream: Parts): AsyncGenerator<LanguageModelV4StreamPart> {
  try {
    for await (const part of stream) if (part.type !== 'error') yield part
  } catch {
    // this is the bug
  }
}

/** Every end is a good end. */
function cutIsEnd(language: LanguageModelV4): LanguageModelV4 {
  return withStream(language, (stream) => ReadableStream.from(ended(stream)))
}

async function* ended(stream: Parts): AsyncGenerator<LanguageModelV4StreamPart> {
  const tokens = { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 }
  for await (const part of partsOf(stream)) if (part.type !== 'finish') yield part
  yield {
    type: 'finish',
    finishReason: { unified: 'stop', raw: 'stop' },
    usage: { inputTokens: tokens, outputTokens: { total: 1, text: 1, reasoning: 0 } },
  }
}

/** A new attempt begins with what the one before had said. */
function saidAgain(language: LanguageModelV4): LanguageModelV4 {
  const said = new Map<string, string>()
  return {
    ...language,
    async doStream(options) {
      const { stream } = await language.doStream(options)
      const key = JSON.stringify(options.prompt)
      const before = said.get(key) ?? ''
      async function* again(): AsyncGenerator<LanguageModelV4StreamPart> {
        if (before !== '') yield { type: 'text-delta', id: 'before', delta: before }
        for await (const part of stream) {
          if (part.type === 'text-delta') said.set(key, (said.get(key) ?? '') + part.delta)
          yield part
        }
      }
      return { stream: ReadableStream.from(again()) }
    },
  }
}

/** What came of calls is left out. */
function noResults(language: LanguageModelV4): LanguageModelV4 {
  return {
    ...language,
    doStream: (options) =>
      language.doStream({ ...options, prompt: options.prompt.filter(({ role }) => role !== 'tool') }),
  }
}

/** Bugs that the cuts must notice, planted between Segno and the providers' packages. */
export const between = { cutIsEnd, saidAgain, noResults }
