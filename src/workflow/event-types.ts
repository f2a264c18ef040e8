import { EVENT_TYPES, REPORTED_TYPES } from '../contract/automation.ts'
import { invalidField } from '../contract/problem.ts'

const TYPE = /^[a-z][a-z0-9_]*(?:\.[a-z0-9_]+)+$/
const TYPE_CHARS = 100
const OWN_NAME = `a name of your own such as order.paid: small letters, digits, "_" and at least one full stop between them, at most ${TYPE_CHARS} characters`
const REPORTED: readonly string[] = REPORTED_TYPES
const OWN: readonly string[] = EVENT_TYPES.filter((type) => !REPORTED.includes(type))

/** Whether Segno itself tells it, so that its payload has no words from outside. */
export const isOwnType = (type: string): boolean => OWN.includes(type)

const isEventType = (type: unknown): type is string =>
  typeof type === 'string' && type.length <= TYPE_CHARS && TYPE.test(type)

/** A type that somebody wants to hear of. */
export function checkEventType(field: string, type: unknown): void {
  if (!isEventType(type)) throw invalidField(field, `must be one of ${EVENT_TYPES.join(', ')}, or ${OWN_NAME}`)
}

/** A type that may be told from outside; what Segno itself tells cannot be made up. */
export function checkReportedType(field: string, type: unknown): void {
  const wanted = `must be ${REPORTED_TYPES.join(', ')} or ${OWN_NAME}`
  if (!isEventType(type)) throw invalidField(field, wanted)
  if (isOwnType(type)) throw invalidField(field, `${wanted}; the others are told by Segno itself, when they happen`)
}
