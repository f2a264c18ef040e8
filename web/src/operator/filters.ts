import type { MeView } from '../../../src/client/index.ts'

/** Filters are part of the address, `#/operator/rounds?state=running`, so that it can be shared. */
export type Filters = Readonly<Record<string, string>>

/** What every page of the operator is given. */
export interface PageProps {
  readonly me: MeView
  readonly filters: Filters
}

export function readFilters(hash: string): Filters {
  const at = hash.indexOf('?')
  return at < 0 ? {} : Object.fromEntries(new URLSearchParams(hash.slice(at + 1)))
}

export function hrefWith(tab: string, filters: Filters = {}): string {
  const query = queryOf(filters)
  return `#/operator/${tab}${query === '' ? '' : `?${query}`}`
}

/** As a query string, without the empty ones. */
export function queryOf(filters: Filters): string {
  const set = Object.entries(filters).filter(([, value]) => value !== '')
  return new URLSearchParams(set.map(([name, value]) => [name, value])).toString()
}

/** Replaces the address: the back button does not go through filters. */
export function goWith(tab: string, filters: Filters): void {
  location.replace(hrefWith(tab, filters))
}
