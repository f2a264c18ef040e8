import { withoutSlashes } from '../../lib/without-slashes.ts'

/** Where a path of Ollama is. People also give the base of one of its APIs (`/api`, `/v1`): that is taken off. */
export function ollamaUrl(baseURL: string, path: string): string {
  return withoutSlashes(baseURL).replace(/\/(?:api|v1)$/, '') + path
}
