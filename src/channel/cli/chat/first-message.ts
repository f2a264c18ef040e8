import { Problem } from '../../../contract/problem.ts'

/** The first words of a message. */
export function titleOf(message: string): string {
  const line = message.trim().replaceAll(/\s+/g, ' ')
  if (line.length <= 60) return line
  const start = Array.from(line.slice(0, 120)).slice(0, 59).join('')
  return `${start.replace(/ \S*$/, '')}…`
}

/** Whether trying again is useless. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof Problem && (error.code === 'VALIDATION_ERROR' || error.code === 'TOO_LARGE')
