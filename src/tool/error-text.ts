import { inspect } from 'node:util'
import { cutEnd } from './cut-end.ts'

const MOST_CHARS = 500

/** The message of a thrown value, for a model to read, without the stack; never throws. */
export function errorText(error: unknown): string {
  const text = wording(error)
  return text.slice(0, cutEnd(text, MOST_CHARS)).toWellFormed()
}

function wording(error: unknown): string {
  try {
    if (error === undefined || error === null || error === '') return 'The tool failed without saying why.'
    if (typeof error === 'string') return error
    if (typeof error !== 'object') return inspect(error)
    const { message, name } = error as { message?: unknown; name?: unknown }
    if (typeof message === 'string' && message !== '') return message
    if (error instanceof Error) return `The tool failed with ${String(name)}.`
    return JSON.stringify(error)
  } catch {
    return 'The tool failed in a way that cannot be put into words.'
  }
}
