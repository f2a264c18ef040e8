import { execFile } from 'node:child_process'
import { existsSync, globSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const BUILT = join(ROOT, 'dist/web/index.html')
const SOURCES = ['web/index.html', 'web/*.ts', 'web/package.json', 'web/public/**', 'web/src/**', 'src/contract/**']

/** Builds the page where it is missing or older than what it is made of. `npm ci` has built it already. */
export async function buildPage(): Promise<void> {
  if (existsSync(BUILT) && statSync(BUILT).mtimeMs >= newest()) return
  const vite = join(ROOT, 'node_modules/vite/bin/vite.js')
  // A test runner says that this is a test, and the page would be built for one.
  const env = { ...process.env, NODE_ENV: 'production' }
  await promisify(execFile)(process.execPath, [vite, 'build', 'web'], { cwd: ROOT, env })
}

/** Folders too: a file that is gone changes its folder. */
const newest = (): number =>
  Math.max(...globSync(SOURCES, { cwd: ROOT }).map((path) => statSync(join(ROOT, path)).mtimeMs))
