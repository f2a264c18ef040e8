/**
 * One key made of several names. Two lists of as many names have the same key only if they are the same list: a name
 * that has a colon in it stands in quotes, except the last, after which nothing comes.
 */
export function keyOf(...names: readonly string[]): string {
  const last = names.length - 1
  return names.map((name, at) => (at < last && /^"|:/.test(name) ? JSON.stringify(name) : name)).join(':')
}

/** The key under which something is kept, counted or shared for one actor. */
export const actorKey = ({ tenant, id }: { readonly tenant: string; readonly id: string }): string => keyOf(tenant, id)
