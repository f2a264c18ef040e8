import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import type { SegnoUnderTest } from '../../../support/segno-under-test.ts'

type Request = LanguageModelV4CallOptions

const purposeOf = ({ providerOptions }: Request): unknown => providerOptions?.['segno']?.['purpose']

/** What Segno asked for itself, and what it was asked for. */
export const ownQuestions = ({ requests }: SegnoUnderTest): Request[] => requests.filter(purposeOf)
export const conversations = ({ requests }: SegnoUnderTest): Request[] =>
  requests.filter((request) => purposeOf(request) === undefined)

/** Everything of a request that is no system text, as one text. */
export function wordsIn(request: Request | undefined): string {
  const words = (request?.prompt ?? []).flatMap(({ role, content }) => {
    if (role === 'system') return []
    return content.map((part) => ('text' in part ? part.text : JSON.stringify(part)))
  })
  return words.join('\n')
}

export const lastWords = (it: SegnoUnderTest): string => wordsIn(conversations(it).at(-1))

/** `times` exchanges, each of about a hundred words. */
export async function talk(it: SegnoUnderTest, times: number, from = 1): Promise<unknown[]> {
  const ended: unknown[] = []
  for (let n = from; n < from + times; n += 1) ended.push((await it.ask(`Message ${n}. ${FILLER}`)).finishReason)
  return ended
}

export const FILLER = 'The quick brown fox jumps over the lazy dog, again and again. '.repeat(8)
export const CUT_MARK = 'Earlier messages of this conversation are left out here.'
