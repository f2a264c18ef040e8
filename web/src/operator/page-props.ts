import type { Me } from '../api/shapes.ts'
import type { Filters } from './filters.ts'

/** What every page of the operator is given. */
export interface PageProps {
  readonly me: Me
  /** from the address of the page */
  readonly filters: Filters
}
