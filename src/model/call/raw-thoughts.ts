import { isObject } from '../../lib/type-guards.ts'

/** A detail of a thought as OpenRouter sends it, in pieces of the same index, and wants it back. */
export type Detail = Record<string, string | number>

/** What a chunk has of a thought that the package leaves out; `id` is what the package calls that thought. */
export type RawThought =
  | { readonly id: string; readonly text: string }
  | { readonly id: string; readonly details: readonly Detail[] }

export function rawThought(chunk: unknown): RawThought | undefined {
  if (!isObject(chunk)) return undefined
  const { type, item_id: item, delta, choices } = chunk
  if (type === 'response.reasoning_text.delta')
    return typeof item === 'string' && typeof delta === 'string' ? { id: `${item}:0`, text: delta } : undefined
  const [choice] = Array.isArray(choices) ? (choices as unknown[]) : []
  const piece = isObject(choice) && isObject(choice['delta']) ? choice['delta']['reasoning_details'] : undefined
  if (!Array.isArray(piece)) return undefined
  const details = (piece as unknown[]).filter(isObject).map(plain)
  return details.length > 0 ? { id: 'reasoning-0', details } : undefined
}

/** Adds pieces to the details they belong to; returns how many characters they have. */
export function addDetails(all: Detail[], pieces: readonly Detail[]): number {
  let chars = 0
  for (const piece of pieces) {
    for (const value of Object.values(piece)) chars += String(value).length
    const last = all.at(-1)
    if (last && piece['index'] !== undefined && last['type'] === piece['type'] && last['index'] === piece['index'])
      for (const [name, value] of Object.entries(piece)) last[name] = joined(name, last[name], value)
    else all.push(piece)
  }
  return chars
}

const GROWING: ReadonlySet<string> = new Set(['text', 'summary', 'data'])
const FIELDS = ['type', 'id', 'format', 'index', 'text', 'summary', 'data', 'signature']

function joined(name: string, before: string | number | undefined, more: string | number): string | number {
  return typeof before === 'string' && GROWING.has(name) ? `${before}${more}` : more
}

function plain(detail: Readonly<Record<string, unknown>>): Detail {
  const known = Object.entries(detail).filter(
    ([name, value]) => FIELDS.includes(name) && (typeof value === 'string' || typeof value === 'number'),
  )
  return Object.fromEntries(known) as Detail
}
