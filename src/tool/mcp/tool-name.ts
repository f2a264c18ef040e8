import { sha256 } from '../../lib/hash.ts'

const TAKEN_BY_PROVIDERS = /^[a-zA-Z0-9_-]{1,64}$/
const HASH_CHARS = 12
const LOOKS_MAPPED = /-[0-9a-f]{12}$/
const MOST = 64

/**
 * The name of a server's tool for models and policies: `server__tool`, or a similar one with a hash if that is no valid
 * name. A name that looks hashed gets a hash too, so that no server can imitate one.
 */
export function toolName(server: string, tool: string): string {
  const plain = `${server}__${tool}`
  if (TAKEN_BY_PROVIDERS.test(plain) && !LOOKS_MAPPED.test(plain)) return plain
  const readable = plain.replaceAll(/[^a-zA-Z0-9_-]+/g, '_').slice(0, MOST - HASH_CHARS - 1)
  return `${readable}-${sha256(tool.isWellFormed() ? tool : JSON.stringify(tool)).slice(0, HASH_CHARS)}`
}
