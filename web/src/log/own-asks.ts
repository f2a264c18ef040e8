import type { WireEvent } from '../../../src/client/index.ts'
import type { EventData } from '../../../src/contract/event.ts'

/** What a person is told when a model that Segno itself asked gave nothing. A title that was not found is no news. */
export function failureOf({ purpose, failed }: EventData['model.answered']): string | undefined {
  return failed === undefined || purpose === 'title'
    ? undefined
    : `Earlier messages could not be summarised for the assistant. ${failed}`
}

/** What comes after the end of a summary; if its owner died, it may have no other end. A fork waits for none. */
const AFTER = /^(?:round\.(?:started|resumed|ended)|turn\.|compact\.|session\.forked)/

/** Whether earlier messages are being summarised now. */
export function isSummarising(events: readonly WireEvent[]): boolean {
  const last = events.findLast((event) =>
    event.type === 'model.asked' || event.type === 'model.answered'
      ? event.data.purpose === 'summary'
      : AFTER.test(event.type),
  )
  return last?.type === 'model.asked'
}
