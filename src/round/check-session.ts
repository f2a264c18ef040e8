import { PROTOCOLS } from '../contract/outcome.ts'
import { Problem, wrong } from '../contract/problem.ts'

interface Field {
  readonly expected: string
  fits(value: unknown): boolean
}

const text: Field = {
  expected: 'well-formed text that is not empty',
  fits: (value) => typeof value === 'string' && value !== '' && value.isWellFormed(),
}

const FIELDS: Readonly<Record<string, Field>> = {
  title: text,
  alias: text,
  workspaceId: text,
  model: { expected: 'the key of a model', fits: (value) => value === null || text.fits(value) },
  protocol: {
    expected: 'unified or triggered',
    fits: (value) => [null, ...PROTOCOLS].includes(value as null),
  },
  archived: { expected: 'true or false', fits: (value) => typeof value === 'boolean' },
}

/** What is wanted of a session is checked before it is stored: what was stored must be possible to fold in. */
export function checkSession(wanted: object): void {
  for (const [name, value] of Object.entries(wanted) as [string, unknown][]) {
    const field = Object.hasOwn(FIELDS, name) ? FIELDS[name] : undefined
    if (!field) throw new Problem('VALIDATION_ERROR', `A session has no ${name} that could be set.`, { field: name })
    if (value !== undefined && !field.fits(value)) {
      throw wrong(name, `must be ${field.expected}`)
    }
  }
}

/** How many of a list are wanted at once. */
export function checkLimit(limit: unknown): void {
  if (limit === undefined || (Number.isSafeInteger(limit) && (limit as number) >= 1)) return
  throw wrong('limit', 'must be a whole number from 1 up')
}
