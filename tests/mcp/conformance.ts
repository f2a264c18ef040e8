/**
 * Runs the client scenarios of the official conformance suite against Segno's MCP client and prints one line for each.
 * Ends with an error if one fails that is not named below.
 *
 *   npm run conformance:mcp [scenario …]
 */
import { spawn } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const SCENARIOS = [
  'initialize',
  'tools_call',
  'elicitation-sep1034-client-defaults',
  'sse-retry',
  'auth/metadata-default',
  'auth/metadata-var1',
  'auth/metadata-var2',
  'auth/metadata-var3',
  'auth/basic-cimd',
  'auth/scope-from-www-authenticate',
  'auth/scope-from-scopes-supported',
  'auth/scope-omitted-when-undefined',
  'auth/scope-step-up',
  'auth/scope-retry-limit',
  'auth/token-endpoint-auth-basic',
  'auth/token-endpoint-auth-post',
  'auth/token-endpoint-auth-none',
  'auth/pre-registration',
  'auth/2025-03-26-oauth-metadata-backcompat',
  'auth/2025-03-26-oauth-endpoint-fallback',
  'auth/resource-mismatch',
  'auth/offline-access-scope',
  'auth/offline-access-not-supported',
  'auth/client-credentials-jwt',
  'auth/client-credentials-basic',
  'auth/cross-app-access-complete-flow',
] as const

/** What does not pass, and why; tests/mcp/CONFORMANCE.md says more. */
export const KNOWN: Readonly<Record<string, string>> = {
  'auth/2025-03-26-oauth-metadata-backcompat':
    'its metadata names an issuer at another place than it was read from; the SDK refuses that since RFC 8414 is checked',
  'auth/client-credentials-jwt': 'Segno has no setting for a private key; a machine logs in with a client secret',
  'auth/cross-app-access-complete-flow': 'Segno does not exchange the tokens of an identity provider',
}

interface Check {
  readonly id: string
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO'
  readonly errorMessage?: string
}

export interface Outcome {
  readonly scenario: string
  readonly passed: number
  readonly failed: readonly string[]
  readonly warned: readonly string[]
}

const suite = join(
  dirname(createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json')),
  'dist/index.js',
)
const client = fileURLToPath(new URL('conformance-client.ts', import.meta.url))

/** One scenario, in a process of its own. */
export async function runScenario(scenario: string): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'segno-conformance-'))
  try {
    const args = [
      suite,
      'client',
      '--command',
      `${process.execPath} ${client}`,
      '--scenario',
      scenario,
      '--output-dir',
      folder,
    ]
    const child = spawn(process.execPath, args, { cwd: folder, stdio: 'ignore' })
    await new Promise((resolve) => child.once('exit', resolve))
    const [file] = globSync(`${folder}/**/checks.json`)
    const checks = file === undefined ? [] : (JSON.parse(readFileSync(file, 'utf8')) as Check[])
    const of = (status: Check['status']): Check[] => checks.filter((check) => check.status === status)
    const words = ({ id, errorMessage }: Check): string => (errorMessage === undefined ? id : `${id} (${errorMessage})`)
    return {
      scenario,
      passed: of('SUCCESS').length,
      failed: file === undefined ? ['no result'] : of('FAILURE').map(words),
      warned: of('WARNING').map(words),
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

if (import.meta.main) {
  const wanted = process.argv.length > 2 ? process.argv.slice(2) : SCENARIOS
  let surprises = 0
  for (const scenario of wanted) {
    const { passed, failed, warned } = await runScenario(scenario)
    const isKnown = Object.hasOwn(KNOWN, scenario)
    const isGood = failed.length === 0 && passed > 0
    if (isGood === isKnown) surprises += 1
    const verdict = isGood ? 'passes' : isKnown ? 'fails, as known' : 'FAILS'
    console.log(
      `${scenario}: ${verdict}, ${passed} checks${[...failed, ...warned].map((one) => `\n    ${one}`).join('')}`,
    )
  }
  if (surprises > 0) {
    console.error(`${surprises} of ${wanted.length} came out otherwise than is written down.`)
    process.exitCode = 1
  }
}
