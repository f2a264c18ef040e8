import type { Client, WireEvent } from '../../../client/index.ts'
import type { CitedView } from '../../../contract/views.ts'
import { cutTo } from './columns.ts'
import { oneLine } from './safe-text.ts'

/** No answer waits longer for the titles of what it cites. */
const LOOK_UP_MS = 2000

/** The passages that an answer cites; without their titles if they cannot be looked up now. */
export async function citedIn(api: Client, sessionId: string, event: WireEvent): Promise<readonly CitedView[]> {
  if (event.type !== 'message.assistant' || !event.data.citations) return []
  const path = `/api/sessions/${encodeURIComponent(sessionId)}/messages/${encodeURIComponent(event.id)}/citations`
  const options = { fields: ['items'], signal: AbortSignal.timeout(LOOK_UP_MS) } as const
  const { citations } = event.data
  // The answer is there in any case.
  return api.requestJson<{ readonly items: readonly CitedView[] }>('GET', path, options).then(
    ({ items }) => items,
    () => citations,
  )
}

/** A line for each. */
export const citedLines = (cited: readonly CitedView[], width: number): string[] =>
  cited.map((one) => cutTo(`  [${oneLine(one.label)}]  ${oneLine(placeOf(one))}`, width))

function placeOf({ title, place, erased }: CitedView): string {
  if (erased) return 'deleted'
  return title === undefined ? 'cannot be looked up now' : [title, place].filter(Boolean).join(' · ')
}
