import type { PageProps } from '../filters.ts'
import { Library } from './library.tsx'
import { OneDocument } from './one-document.tsx'
import '../css/prompts.css'
import '../css/knowledge.css'

/** What the assistant knows: the library, or one document. */
export function Knowledge({ me, filters }: PageProps) {
  return filters['id'] ? (
    <OneDocument key={filters['id']} id={filters['id']} me={me} />
  ) : (
    <Library me={me} filters={filters} />
  )
}
