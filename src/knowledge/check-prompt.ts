import { refuseUnknownFields } from '../contract/known-fields.ts'
import { invalidField } from '../contract/problem.ts'

export interface PromptInput {
  readonly name?: string
  readonly content?: string
}

const NAME_CHARS = 200
const REASON_CHARS = 1000

/**
 * Characters that a reviewer cannot see but a model reads: controls, other line ends, blank letters, marks that turn the
 * direction of text around, invisible letters. Those that some scripts and emoji need may stand beside what they change,
 * but not in a row, where they could spell something.
 */
const UNSEEN =
  // oxlint-disable-next-line no-misleading-character-class -- the marks are meant one by one
  /(?![\t\n])\p{Cc}|(?![\u061c\u180b-\u180d\u200c-\u200f\ufe00-\ufe0f])\p{Default_Ignorable_Code_Point}|[\p{Zl}\p{Zp}\u2800]|[\u061c\u180b-\u180d\u200c-\u200f\ufe00-\ufe0f]{3}/u

export function checkPromptInput(input: PromptInput, mostChars: number): void {
  const { name, content } = input
  if (name !== undefined) {
    checkText('name', name, NAME_CHARS)
    if (/[\t\n]/.test(name)) throw invalidField('name', 'must be one line without tabs')
  }
  if (content !== undefined) checkText('content', content, mostChars, ' (limit PROMPT_CHARS)')
}

export interface StepInput {
  readonly reason?: string
  /** the one that was looked at; the step is refused if it has changed since */
  readonly revision?: number
}

/** The reason of a step as it is stored; null if none is given. */
export function reasonOf(given: StepInput | undefined, isNeeded: boolean): string | null {
  refuseUnknownFields(given, ['reason', 'revision'], 'A step of a prompt')
  const reason = given?.reason
  if (reason !== undefined) checkText('reason', reason, REASON_CHARS)
  else if (isNeeded) throw invalidField('reason', 'is needed, so that its author knows what to change')
  return reason ?? null
}

function checkText(field: string, text: unknown, most: number, limit = ''): void {
  if (typeof text !== 'string' || text.trim() === '' || text.length > most) {
    const has = typeof text === 'string' && text.length > most ? `; it has ${text.length}` : ''
    throw invalidField(field, `must have 1 to ${most} characters${limit} that are not all blank${has}`)
  }
  if (!text.isWellFormed())
    throw invalidField(field, 'holds half a character (a lone UTF-16 surrogate); send well-formed text')
  const found = UNSEEN.exec(text)
  if (!found) return
  const number = (found[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
  const hint = number === '000D' ? '; end lines with a line feed alone' : ''
  throw invalidField(
    field,
    `holds the character U+${number} at position ${found.index + 1}, which nobody can see; take it out${hint}`,
  )
}
