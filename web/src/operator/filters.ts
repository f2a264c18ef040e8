/** Filters of a page stand in its address, `#/operator/rounds?state=running`, so that it can be kept and shared. */
export type Filters = Readonly<Record<string, string>>

export function readFilters(hash: string): Filters {
  const at = hash.indexOf('?')
  return at < 0 ? {} : Object.fromEntries(new URLSearchParams(hash.slice(at + 1)))
}

export function hrefWith(tab: string, filters: Filters = {}): string {
  const query = queryOf(filters)
  return `#/operator/${tab}${query === '' ? '' : `?${query}`}`
}

/** As the query of a request; what is empty does not filter. */
export function queryOf(filters: Filters): string {
  const set = Object.entries(filters).filter(([, value]) => value !== '')
  return new URLSearchParams(set.map(([name, value]) => [name, value])).toString()
}

/** Choosing a filter is no step to come back to. */
export function goWith(tab: string, filters: Filters): void {
  location.replace(hrefWith(tab, filters))
}
