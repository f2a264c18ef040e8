import type { Json } from '../contract/message.ts'

const INDEX = /^(?:0|[1-9]\d{0,8})$/

/** What stands at a path in a value of somebody else, undefined if there is nothing; of a list it takes numbers. */
export function valueAt(value: Json | undefined, path: readonly string[]): Json | undefined {
  let found: Json | undefined = value
  for (const name of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined
    if (Array.isArray(found) && !INDEX.test(name)) return undefined
    found = (found as { readonly [name: string]: Json })[name]
  }
  return found
}
