import { invalidField } from '../contract/problem.ts'
import { UNSEEN } from '../lib/unseen.ts'

/** Refuses text that is blank, too long, not well-formed or not all to be seen. */
export function checkText(field: string, text: unknown, most: number, limit = ''): asserts text is string {
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

export function checkLine(field: string, text: unknown, most: number): asserts text is string {
  checkText(field, text, most)
  if (/[\t\n]/.test(text)) throw invalidField(field, 'must be one line without tabs')
}
