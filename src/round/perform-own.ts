import { draftEvent } from '../contract/event.ts'
import { NO_USAGE, textOf } from '../contract/message.ts'
import { Problem } from '../contract/problem.ts'
import { betweenMarkers } from '../lib/between-markers.ts'
import { newId } from '../lib/id.ts'
import { openExchanges } from '../session/index.ts'
import { askForItself } from './ask-model.ts'
import { findAny, makeSummary } from './make-summary.ts'
import type { OwnInput } from './mailbox.ts'
import { allowedModel, findModel } from './prompt-for.ts'
import { isUsualTitle, titleOf, TITLE_QUESTION } from './title.ts'
import type { Work } from './work.ts'

/** Does what an input asks a model for, between two rounds; the input goes with the commit of what came of it. */
export async function performOwn(work: Work, input: OwnInput): Promise<void> {
  const { session, mailbox, signal } = work
  if (input.body.kind === 'compact') await summarise(work, input.body.by)
  else await findTitle(work)
  mailbox.done(input)
  await session.flush(signal)
}

async function summarise(work: Work, by: string): Promise<void> {
  const { session, deps } = work
  const found = findModel(session.state.lastModel ?? '', deps)
  const wanted = found instanceof Problem ? undefined : findAny(work, found)
  if (wanted) return makeSummary(work, { ...wanted, because: 'somebody asked for it', by })
  const failed = 'There is nothing to summarise yet.'
  const nothing = { askId: newId(), purpose: 'summary', usage: NO_USAGE, cost: 0, durationMs: 0, failed } as const
  session.append(draftEvent('model.answered', nothing))
}

const TITLE_TOKENS = 50
/** The next message waits for it. */
const TITLE_MS = 20_000
const MOST_CHARS = 2000

async function findTitle(work: Work): Promise<void> {
  const { session, deps } = work
  const { title, titleAsked, history } = session.state
  const first = openExchanges(history)[0]?.user
  const isDeleted = first && history.hidden.has(first.eventId)
  const said = first ? textOf(first.parts) : ''
  const model = await allowedModel(deps.settings.titleModel, session.state, deps)
  if (titleAsked || !model || !first || isDeleted || !isUsualTitle(title, said)) return
  const { text, answered } = await askForItself(work, {
    purpose: 'title',
    because: 'the conversation has no title of its own',
    model,
    system: TITLE_QUESTION,
    text: betweenMarkers(said.slice(0, MOST_CHARS), first.eventId, 'the first message of a conversation'),
    maxOutput: TITLE_TOKENS,
    mostMs: TITLE_MS,
  })
  session.append(answered())
  if (text !== undefined) session.append(draftEvent('session.changed', { title: titleOf(text) }))
}
