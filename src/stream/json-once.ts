import type { EventFrame } from './frame.ts'

/**
 * The JSON of something in an event: where several are told of it, it is made once for all who are told in the same
 * way. `variant` names the way; `given` is what else it is made of: who has something else there gets its own.
 */
export function jsonOnce({ made }: EventFrame, variant: string, given: string, make: () => string): string {
  const found = made?.get(variant)
  if (found?.given === given) return found.json
  const json = make()
  made?.set(variant, { given, json })
  return json
}
