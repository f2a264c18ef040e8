import { withoutSlashes } from '../../lib/without-slashes.ts'

/** The URL of a path; a trailing `/api` or `/v1` of the base URL is removed. */
export function ollamaUrl(baseURL: string, path: string): string {
  return withoutSlashes(baseURL).replace(/\/(?:api|v1)$/, '') + path
}
