import { textOf, type MessageContent } from '../../../src/contract/message.ts'
import type { ModelParams } from '../../../src/contract/model-params.ts'
import type { Mode, Protocol } from '../../../src/contract/outcome.ts'
import type { RoundPicture } from '../log/round-picture.ts'

export interface NewFile {
  readonly name: string
  readonly mediaType: string
  /** in base64; empty where only the name of the file was kept */
  readonly data: string
  readonly bytes: number
}

/** Where a message goes: into a conversation, into one that is made for it, or into a fork. */
export type Place =
  | { readonly kind: 'session'; readonly sessionId: string }
  | ({
      readonly kind: 'new'
      /** the same for all messages that go there, so that it is made once */
      readonly key: string
      readonly title: string
      readonly model?: string
      readonly protocol?: Protocol
    } & ModelParams)
  | { readonly kind: 'fork'; readonly sessionId: string; readonly seq: number }

/** A message on its way. It is there until the log of its conversation has it. */
export interface Unsent {
  /** the same for every attempt, so that it happens once */
  readonly key: string
  /** who wrote it; it is only sent with their key */
  readonly owner: string
  readonly at: number
  readonly place: Place
  readonly text: string
  readonly files: readonly NewFile[]
  readonly mode: Mode
  readonly onBusy: 'queue' | 'interrupt'
  /** the last event of its conversation when it was written */
  readonly after: number
  /** `kept`: it is tried again. `accepted`: the server has it. */
  readonly state: 'sending' | 'kept' | 'accepted' | 'refused'
  /** once it is accepted */
  readonly requestId?: string
  /** why it was refused or has to be tried again; nothing where nobody answered */
  readonly problem?: string
}

export const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')

/** Its files are there to be sent. */
export const isWhole = ({ files }: Pick<Unsent, 'files'>): boolean => files.every(({ data }) => data !== '')

/** Where it is shown: a fork that is not made yet belongs to the conversation it is made from. */
export const shownIn = ({ place }: Unsent): string | undefined => (place.kind === 'new' ? undefined : place.sessionId)

/**
 * The messages that are not in the log yet. If the server's answer with the id is missing, the first new round with
 * the same text is taken for it.
 */
export function notInLog(unsent: readonly Unsent[], rounds: readonly RoundPicture[]): Unsent[] {
  const taken = new Set(unsent.flatMap(({ requestId }) => requestId ?? []))
  return unsent.filter((one) => {
    if (one.requestId !== undefined) return !rounds.some(({ requestId }) => requestId === one.requestId)
    if (one.place.kind !== 'session' || (one.state === 'refused' && isWhole(one))) return true
    const same = rounds.find(
      (round) => !taken.has(round.requestId) && (round.begun?.seq ?? 0) > one.after && saysTheSame(round, one),
    )
    if (same) taken.add(same.requestId)
    return same === undefined
  })
}

const saysTheSame = ({ user }: RoundPicture, { text, files }: Unsent): boolean =>
  user !== undefined &&
  !user.own &&
  textOf(user.content).trim() === text.trim() &&
  user.content.filter(({ type }) => type === 'file').length === files.length

/** A file of a message as the API takes it. */
export function contentOf({ text, files }: Pick<Unsent, 'text' | 'files'>): MessageContent {
  if (files.length === 0) return text
  return [
    ...(text.trim() === '' ? [] : [{ type: 'text' as const, text }]),
    ...files.map(({ name, mediaType, data }) => ({ type: 'file' as const, mediaType, name, data })),
  ]
}

const TITLE_CHARS = 60

/** The first words of a message, for a conversation that has no name yet. */
export function titleOf(text: string, files: readonly { readonly name: string }[] = []): string {
  const line = text.trim().split('\n')[0]?.replaceAll(/\s+/g, ' ').trim() ?? ''
  if (line === '') return files[0] ? titleOf(files[0].name) : 'New conversation'
  if (line.length <= TITLE_CHARS) return line
  const cut = line.slice(0, TITLE_CHARS - 1)
  const space = cut.lastIndexOf(' ')
  // Do not end with half of a surrogate pair.
  return `${(space > TITLE_CHARS / 2 ? cut.slice(0, space) : cut).replace(/[\ud800-\udbff]$/, '')}…`
}
