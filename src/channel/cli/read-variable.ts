import { Problem } from '../../contract/problem.ts'

/** What a variable holds: secrets are given so, because everybody on this machine sees a command line. */
export function readVariable(name: string): string {
  const value = process.env[name]?.trim()
  if (value === undefined || value === '') throw new Problem('VALIDATION_ERROR', `The variable ${name} is not set.`)
  return value
}
