/** Joins names into one key without ambiguity: any name but the last that contains a colon is quoted. */
export function keyOf(...names: readonly string[]): string {
  const last = names.length - 1
  return names.map((name, at) => (at < last && /^"|:/.test(name) ? JSON.stringify(name) : name)).join(':')
}

export const actorKey = ({ tenant, id }: { readonly tenant: string; readonly id: string }): string => keyOf(tenant, id)
