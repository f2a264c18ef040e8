import type { JsonObject } from '../../contract/message.ts'

/** A string argument, or a default. */
export function textArgument(args: JsonObject, field: string, otherwise = ''): string {
  const value = args[field]
  return typeof value === 'string' ? value : otherwise
}
