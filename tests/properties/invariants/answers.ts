import { ofType, type RoundLog } from './round-logs.ts'

/** What is stored is what the model said: all of it in an answer, its beginning where a call or a failure cut it off. */
export function answerFaults({ events }: RoundLog, said: readonly string[]): string[] {
  return ofType(events, 'message.assistant').flatMap(({ data }) => {
    if (data.own) return []
    const text = data.content.map((part) => (part.type === 'text' ? part.text : '')).join('')
    const whole = data.final ? said.includes(text) : said.some((one) => one.startsWith(text))
    return whole ? [] : [`the model never said ${JSON.stringify(text)}`]
  })
}
