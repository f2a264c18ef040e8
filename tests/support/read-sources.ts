import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** Every file under the repository that matches, as path from the root → text. */
export function readSources(patterns: readonly string[]): Record<string, string> {
  const paths = globSync(patterns, { cwd: root }).map((path) => path.replaceAll('\\', '/'))
  return Object.fromEntries(paths.sort().map((path) => [path, readFileSync(`${root}${path}`, 'utf8')]))
}
