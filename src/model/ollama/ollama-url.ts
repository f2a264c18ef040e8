/** Where a path of Ollama is. People also give the base of one of its APIs (`/api`, `/v1`): that is taken off. */
export function ollamaUrl(baseURL: string, path: string): string {
  return baseURL.replace(/\/+$/, '').replace(/\/(?:api|v1)$/, '') + path
}
