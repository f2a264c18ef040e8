import type { AddedText } from '../contract/sent-prompt.ts'
import type { Mode } from '../contract/outcome.ts'
import type { PromptSettings } from '../contract/workspace.ts'
import type { Exchange } from '../session/index.ts'

/** What Segno knows when a round begins. */
export interface Surroundings {
  readonly now: number
  readonly mode: Mode
  readonly workspace: string
  /** which Segno this is, and on what */
  readonly host: string
  /** what of all this the workspace wants told */
  readonly tell: PromptSettings
  /** what happened since the last round */
  readonly news: readonly string[]
}

/**
 * What the model is told with the message of a round: what it is already told with it, what is asked of this answer,
 * and, when the round begins, what the conversation it is shown does not say. Nothing if that is all the same.
 */
export function addedTo(
  shown: readonly Exchange[],
  hidden: ReadonlySet<string>,
  around: Surroundings | undefined,
  asked: readonly AddedText[] = [],
): AddedText[] {
  const told = shown.flatMap(({ user, added }) => (user && !hidden.has(user.eventId) ? added : []))
  const before = shown.at(-1)?.added ?? []
  const isTold = ({ id, text }: AddedText): boolean => before.some((one) => one.id === id && one.text === text)
  const more = [...(around ? news(told, before, around) : []), ...asked.filter((one) => !isTold(one))]
  return more.length > 0 ? [...before, ...more] : []
}

function news(told: readonly AddedText[], before: readonly AddedText[], around: Surroundings): AddedText[] {
  const wasTold = (id: string): string | undefined => told.findLast((one) => one.id === id)?.text
  const { tell } = around
  const facts = [
    { id: 'date', text: tell.date ? dateText(around.now) : '' },
    { id: 'system', text: systemText(around, wasTold('system') ?? '') },
    { id: 'host', text: tell.systemInfo ? `This is ${around.host}.` : '' },
  ]
  return [
    ...facts.filter(({ id, text }) => text !== '' && text !== wasTold(id)),
    ...around.news.filter((text) => !before.some((one) => one.text === text)).map((text) => ({ id: 'notice', text })),
  ]
}

const DATE = new Intl.DateTimeFormat('en-GB', {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
})
const DAY_MS = 86_400_000
let last: { readonly day: number; readonly text: string } | undefined

/** Formatting takes long, so it is done once a day. */
function dateText(now: number): string {
  const day = Math.floor(now / DAY_MS)
  if (last?.day !== day) last = { day, text: `Today is ${DATE.format(now)} (UTC).` }
  return last.text
}

const PLANNING = 'This is only for planning: no tool may change anything.'

/** Where nothing of the workspace is told, it is still said when planning begins and ends. */
function systemText({ mode, workspace, tell }: Surroundings, before: string): string {
  const place = tell.metadata ? `This conversation is in the workspace ${JSON.stringify(workspace)}.` : ''
  if (mode === 'plan') return `${place} ${PLANNING}`.trim()
  return place === '' && before.endsWith(PLANNING) ? 'This is no longer only for planning.' : place
}
