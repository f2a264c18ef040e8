import { createRequire } from 'node:module'
import { beforeAll, expect, test } from 'vitest'
import { cost } from './support/linear.ts'
import { patternsOf, type FoundPattern } from './support/patterns-of.ts'
import { readSources } from './support/read-sources.ts'
import { verifies } from './support/verifies.ts'

/**
 * Patterns that are put together while the program runs: some as they come out of it, or, where a stranger wrote one,
 * where it is used. Those of strangers are read here and run elsewhere.
 */
const BUILT: Readonly<Record<string, readonly string[] | string>> = {
  'src/audit/is-personal.ts': ['(?:email|key|token)[^\\p{L}\\p{N}]*$'],
  'src/channel/cli/chat/inline.ts': ['^[*]+', '(?<!`)`{3}(?!`)', '(?<=[^\\s\\\\*])[*]{2}(?![*])(?![\\p{L}\\p{N}])'],
  'src/channel/cli/chat/markdown.ts': ['^\\s{0,3}`{3,}\\s*$'],
  'src/lib/redactor.ts': ['one secret|another\\.'],
  'src/lib/unseen.ts': [
    '(?![\\t\\n])\\p{Cc}|(?![\\u061c\\u180b-\\u180d\\u200c-\\u200f\\ufe00-\\ufe0f])\\p{Default_Ignorable_Code_Point}|[\\p{Zl}\\p{Zp}\\u2800]|[\\u061c\\u180b-\\u180d\\u200c-\\u200f\\ufe00-\\ufe0f]{3}',
    '(?![\\t\\n])\\p{Cc}|(?![\\u061c\\u180b-\\u180d\\u200c-\\u200f\\ufe00-\\ufe0f])\\p{Default_Ignorable_Code_Point}|\\p{Surrogate}',
    '[\\u061c\\u180b-\\u180d\\u200c-\\u200f\\ufe00-\\ufe0f]{3,}',
  ],
  'src/lib/visible.ts': ['\\p{Script=Latin}', '([\\n\\t]|(?<=\\p{Emoji})\\ufe0f)'],
  'src/model/call/tokens.ts': ['[^]{1,100}'],
  'src/model/scripted/script.ts': 'match-when.ts, with a deadline',
  'src/stream/quoted.ts': ['^\\s*````*\\s*$'],
  'src/tool/local/match-worker.ts': 'a thread that search_files ends',
  'src/tool/local/matcher.ts': 'a thread that search_files ends',
  'src/tool/sandbox/memory.ts': ['^MemAvailable: +(\\d+) kB'],
  'src/tool/schema-fault.ts': 'schema-thread.ts, with a deadline',
  'web/src/text/visible.ts': ['[\\p{C}\\u2800]', '([\\n\\t])|[\\p{C}\\u2800]', '[\\p{C}]'],
}

type Proof = Awaited<ReturnType<(typeof import('recheck'))['check']>>
/** The checker is the same program in three forms; this one starts no Java and is ten times as fast as JavaScript. */
const PROVING = { checker: 'automaton', timeout: 20_000 } as const
const MOST_MS = 10

let check: (typeof import('recheck'))['check']
beforeAll(async () => {
  process.env['RECHECK_BACKEND'] = hasNative() ? 'native' : 'pure'
  ;({ check } = await import('recheck'))
})

function hasNative(): boolean {
  try {
    createRequire(import.meta.url).resolve(`recheck-${process.platform}-${process.arch}/package.json`)
    return true
  } catch {
    return false
  }
}

const sources = readSources(['src/**/*.ts', 'web/src/**/*.ts', 'web/src/**/*.tsx'])
const found = Object.entries(sources)
  .filter(([path]) => !/\.(?:test|suite)\.tsx?$/.test(path))
  .flatMap(([path, text]) => patternsOf(path, text))

const built = found.filter(({ isBuilt }) => isBuilt)
const written: readonly FoundPattern[] = [
  ...found.filter(({ isBuilt }) => !isBuilt),
  ...Object.entries(BUILT).flatMap(([path, samples]) =>
    typeof samples === 'string' ? [] : samples.map((source) => ({ path, source, flags: 'u', isBuilt: false })),
  ),
]
const distinct = [...new Map(written.map((one) => [`/${one.source}/${one.flags}`, one])).entries()]

test('every pattern that is put together while the program runs is known here', () => {
  const counted = Object.groupBy(built, ({ path }) => path)
  const known = Object.entries(BUILT).map(([path, as]) => [path, typeof as === 'string' ? 1 : as.length])
  expect(Object.entries(counted).map(([path, all]) => [path, all?.length])).toEqual(known)
})

const proven = async (): Promise<void> => {
  const wrong: string[] = []
  for (const [name, { path, source, flags }] of distinct) {
    const proof = await check(source, flags.replace('v', 'u'), PROVING)
    if (proof.status !== 'safe') wrong.push(`${path} ${name}: ${reason(proof)}`)
  }
  expect(distinct.length).toBeGreaterThan(300)
  expect(wrong).toEqual([])
}

verifies('REL-8', 'every pattern takes as long as its text is long, and no longer', proven, 180_000)

function reason(proof: Proof): string {
  if (proof.status === 'vulnerable') return `${proof.complexity.summary} for ${proof.attack.pattern}`
  return proof.status === 'unknown' ? `cannot be proven (${proof.error.kind})` : 'safe'
}

/** What is bounded counts as constant for the checker, and a bound may be large. */
test('no pattern is slow on a run of the characters it is made of', () => {
  const slow: string[] = []
  for (const [name, one] of distinct) {
    const units = new Set(`${one.source.replaceAll(/\\[nstdw]/g, ' \n0a')} a0`.split(''))
    for (const unit of units) {
      const text = filled(unit, 10_000)
      if (cost(() => tryOut(one, text)) > MOST_MS) slow.push(`${one.path} ${name} on ${JSON.stringify(unit)}`)
    }
  }
  expect(slow).toEqual([])
})

const filled = (unit: string, chars: number): string => unit.repeat(Math.ceil(chars / unit.length)).slice(0, chars)

function tryOut({ source, flags }: FoundPattern, text: string): void {
  const pattern = new RegExp(source, flags)
  for (let tries = 0; tries < 1000 && pattern.exec(text) !== null && pattern.global; tries += 1);
}

test.each(['/(a+)+$/', '/\\s+$/', '/git.*push.*-f/', '/(\\w+)\\1/'])(
  'a pattern that is slow is caught: %s',
  async (text) => {
    const [pattern] = patternsOf('x.ts', `export const x = ${text}`)
    const proof = await check(pattern?.source ?? '', pattern?.flags ?? '', PROVING)
    expect(proof.status).not.toBe('safe')
  },
)

test('patterns are seen wherever they stand, and not in comments or texts', () => {
  const text = `
    // /comment/
    const a = [/one/g, 'x'.replace(/two/u, '/text/'), new RegExp(\`three\${a}\`), { pattern: '^four$' }, 6 / 2 / 1]
    type B = \`/\${string}/\`
    const c = \`\${/five/.test(a)}\``
  expect(
    patternsOf('x.ts', text)
      .map(({ source }) => source)
      .sort(),
  ).toEqual(['^four$', 'five', 'new RegExp(`three${a}`)', 'one', 'two'].sort())
})
