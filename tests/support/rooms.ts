import { posix } from 'node:path'
import { withoutComments } from './without-comments.ts'

/** Rooms whose every file may be imported from outside; all others are entered by their door, index.ts. */
const open = ['contract', 'lib']

/** The rooms of src/ and what each may import of ours, besides itself. */
const neighbours: Readonly<Record<string, readonly string[]>> = {
  contract: [],
  lib: [],
  client: open,
  config: open,
  store: open,
  session: open,
  egress: open,
  telemetry: open,
  policy: [...open, 'session'],
  model: [...open, 'egress', 'telemetry'],
  audit: [...open, 'store', 'egress'],
  account: [...open, 'store', 'egress'],
  knowledge: [...open, 'store', 'egress'],
  workspace: [...open, 'store', 'egress'],
  workflow: [...open, 'store', 'secret', 'egress'],
  cluster: [...open, 'store'],
  secret: [...open, 'store'],
  provider: [...open, 'store', 'secret', 'egress'],
  context: [...open, 'session', 'workspace', 'knowledge'],
  tool: [...open, 'store', 'secret', 'workflow', 'egress'],
  round: [...open, 'session', 'context', 'model', 'policy', 'tool', 'store', 'audit', 'account', 'telemetry'],
  stream: [...open, 'store', 'session'],
  job: [...open, 'store', 'round', 'workflow', 'knowledge', 'account'],
}
const rooms = [...Object.keys(neighbours), 'channel']

/** Folders that fit one foreign system. app.ts chooses among them; a database is not even known to its own room. */
const databases = ['store/sqlite', 'store/postgres']
const adapters = [
  ...databases,
  'channel/http',
  'channel/cli',
  'tool/mcp',
  'workflow/n8n',
  'workflow/temporal',
  'workflow/http',
]

/** Where each foreign package may be imported. `*` at the end of a name stands for anything. */
const homes: Readonly<Record<string, readonly string[]>> = {
  'node:sqlite': ['store/sqlite'],
  'sqlite-vec': ['store/sqlite'],
  pg: ['store/postgres'],
  '@ai-sdk/*': ['model'],
  '@energetic-ai/*': ['model'],
  'gpt-tokenizer': ['model'],
  '@modelcontextprotocol/*': ['tool/mcp'],
  canonicalize: ['lib'],
  'eventsource-parser': ['client'],
  zod: ['contract', 'config', 'tool', 'channel'],
  commander: ['channel/cli', 'bin.ts'],
  hono: ['channel/http'],
  '@hono/*': ['channel/http'],
  undici: ['egress'],
  'ipaddr.js': ['egress'],
  turndown: ['tool/web', 'knowledge/parse'],
  mammoth: ['knowledge/parse'],
  unpdf: ['knowledge/parse'],
  diff: ['lib'],
  '@temporalio/*': ['workflow/temporal'],
  croner: ['workflow'],
}
const testPackages = ['vitest', 'fast-check', 'standardwebhooks']

/** Rooms that decide and never act: same facts in, same answer out. */
const pureRooms = ['session', 'policy']
const harmlessModules = ['node:assert', 'node:assert/strict', 'node:util']
const impurities: Readonly<Record<string, RegExp>> = {
  'Date.now': /\bDate\.now\b/,
  'new Date()': /\bnew\s+Date\s*(?:\(\s*\)|(?![\s(\w]))/,
  'Math.random': /\bMath\.random\b/,
  'performance.now': /\bperformance\.now\b/,
  process: /(?<![\w.$])process\./,
  'a timer': /(?<![\w.$])(?:setTimeout|setInterval|setImmediate|queueMicrotask)\s*\(/,
  fetch: /(?<![\w.$])fetch\s*\(/,
  console: /(?<![\w.$])console\./,
  'random bytes': /\bcrypto\.(?:randomUUID|getRandomValues|randomBytes)\b/,
}

const importPatterns = [
  /(?<![\w.$])(?:import|export)\s+(?:type\s+)?(?:[\w*\s{},$]+?\s*\bfrom\s*)?['"]([^'"]+)['"]/g,
  /(?<![\w.$])(?:import|export)\s*[{*][\w*\s{},$]*?\bfrom\s*['"]([^'"]+)['"]/g,
  /(?<![\w.$])(?:import|require|getBuiltinModule)\s*\(\s*['"`]([^'"`]+)['"`]/g,
  /\.getBuiltinModule\s*\(\s*['"`]([^'"`]+)['"`]/g,
]

/** What a source imports, whether by `import`, `export … from` or a call. */
export function importsOf(source: string): string[] {
  const code = withoutComments(source)
  return [...new Set(importPatterns.flatMap((pattern) => [...code.matchAll(pattern)].map(([, name = '']) => name)))]
}

/** Every breach of the rooms' rules in a map of path → source, in sentences. Paths start with `src/`. */
export function breaches(sources: Readonly<Record<string, string>>): string[] {
  return Object.entries(sources).flatMap(([path, source]) => {
    const file = path.replace(/^src\//, '')
    const problems = [
      ...placeProblems(file),
      ...importProblems(file, importsOf(source)),
      ...purityProblems(file, source),
    ]
    return problems.map((problem) => `${path} ${problem}`)
  })
}

/** What browsers cannot load of what the client reaches, over however many files. In a map of path → source. */
export function browserBreaches(sources: Readonly<Record<string, string>>): string[] {
  const reached = new Set(Object.keys(sources).filter((path) => roomOf(path.slice(4)) === 'client' && !isTest(path)))
  const problems: string[] = []
  for (const path of reached)
    for (const name of importsOf(sources[path] ?? '')) {
      if (isRelative(name)) reached.add(posix.join(posix.dirname(path), name))
      else if (name.startsWith('node:')) problems.push(`${path} imports ${name}, which no browser has`)
    }
  return problems
}

/** What the page may use: its own files, the client, the contract, and React. In a map of path → source. */
export function pageBreaches(sources: Readonly<Record<string, string>>): string[] {
  return Object.entries(sources).flatMap(([path, source]) =>
    importsOf(source)
      .filter((name) => !isForPage(path, name))
      .map((name) => `${path} imports ${name}, but the page may use src/client, src/contract and React only`),
  )
}

function isForPage(path: string, name: string): boolean {
  if (!isRelative(name)) {
    const allowed = /\.test\.tsx?$/.test(path) ? [...testPackages, 'react', 'react-dom'] : ['react', 'react-dom']
    return allowed.includes(packageOf(name)) || (/\.test\.tsx?$/.test(path) && name.startsWith('node:'))
  }
  const target = posix.join(posix.dirname(path), name)
  return target.startsWith('web/src/') || target.startsWith('src/contract/') || target === 'src/client/index.ts'
}

function placeProblems(file: string): string[] {
  if (isAppFile(file) || file === 'index.ts' || isTest(file) || rooms.includes(roomOf(file))) return []
  return ['is in no room: add it to the table in tests/support/rooms.ts or move it']
}

function importProblems(file: string, imports: readonly string[]): string[] {
  const inside = imports.filter(isRelative).map((name) => posix.join(posix.dirname(`src/${file}`), name))
  const outside = imports.filter((name) => !isRelative(name))
  return [
    ...inside.flatMap((target) => relativeProblems(file, target)),
    ...outside.flatMap((name) => packageProblems(file, name)),
    ...severalAdapters(file, inside),
  ]
}

function relativeProblems(file: string, target: string): string[] {
  if (!target.startsWith('src/')) {
    if (isTest(file) && target.startsWith('tests/support/')) return []
    return [`imports ${target}, which is outside src`]
  }
  const wanted = target.slice('src/'.length)
  if (wanted === 'app.ts' || wanted === 'index.ts') {
    const allowed = wanted === 'app.ts' && ['index.ts', 'bin.ts', 'app.test.ts'].includes(file)
    return allowed ? [] : [`imports ${target}, which stands above all rooms`]
  }
  if (wanted.startsWith('app-')) return isAppFile(file) ? [] : [`imports ${target}, which stands above all rooms`]
  if (wanted === 'segno.ts') {
    const allowed = isAppFile(file) || file === 'index.ts' || roomOf(file) === 'channel'
    return allowed ? [] : [`imports ${target}, which is what channels are given`]
  }
  return [...tableProblems(file, wanted), ...adapterProblems(file, wanted), ...doorProblems(file, wanted)]
}

function tableProblems(file: string, wanted: string): string[] {
  const from = roomOf(file)
  const to = roomOf(wanted)
  if (from === to || isAppFile(file)) return []
  if (from === 'channel' && (to !== 'client' || adapterOf(file) === 'channel/cli')) return []
  const allowed = from === 'index.ts' ? ['contract'] : (neighbours[from] ?? [])
  return allowed.includes(to) ? [] : [`imports src/${wanted}, but ${from} may not import ${to}`]
}

function adapterProblems(file: string, wanted: string): string[] {
  const adapter = adapterOf(wanted)
  if (adapter === undefined || adapterOf(file) === adapter || isAppFile(file)) return []
  if (roomOf(file) === roomOf(wanted) && adapterOf(file) === undefined && !databases.includes(adapter)) return []
  return [`imports src/${wanted}, but only app.ts chooses ${adapter}`]
}

function severalAdapters(file: string, targets: readonly string[]): string[] {
  if (isAppFile(file)) return []
  const found = new Set(targets.map((target) => adapterOf(target.slice('src/'.length))))
  found.delete(undefined)
  return found.size > 1 ? [`imports several adapters (${[...found].join(', ')}); only app.ts may`] : []
}

function doorProblems(file: string, wanted: string): string[] {
  if (open.includes(roomOf(wanted))) return []
  const sameHouse = roomOf(file) === roomOf(wanted) && adapterOf(file) === adapterOf(wanted)
  if (sameHouse || adapterOf(file)?.startsWith(`${roomOf(wanted)}/`)) return []
  const isDoor =
    wanted.endsWith('/index.ts') && (isAppFile(file) || wanted.split('/').length === 2 || isOwnAdapter(file, wanted))
  return isDoor ? [] : [`imports src/${wanted} past its door, index.ts`]
}

function packageProblems(file: string, name: string): string[] {
  if (isTest(file) && testPackages.includes(packageOf(name))) return []
  const home = homeOf(name)
  if (home === undefined) {
    if (!name.startsWith('node:')) return [`imports ${name}, which has no home in tests/support/rooms.ts`]
    const forbidden = pureRooms.includes(roomOf(file)) && !isTest(file) && !harmlessModules.includes(name)
    return forbidden ? [`imports ${name}, but ${roomOf(file)} is pure`] : []
  }
  const atHome = home.some((folder) => file === folder || file.startsWith(`${folder}/`))
  return atHome ? [] : [`imports ${name}, whose home is ${home.join(', ')}`]
}

function purityProblems(file: string, source: string): string[] {
  if (!pureRooms.includes(roomOf(file)) || isTest(file)) return []
  const code = withoutComments(source).replace(/'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"/g, "''")
  return Object.entries(impurities)
    .filter(([, pattern]) => pattern.test(code))
    .map(([what]) => `uses ${what}, but ${roomOf(file)} is pure`)
}

const isRelative = (name: string): boolean => name.startsWith('.')
const isTest = (file: string): boolean => /\.(?:test|suite)\.ts$/.test(file)
/** Above the rooms: the composition root, the shape of what it makes, and the command that starts it. */
/** What puts the rooms together. */
const isAppFile = (file: string): boolean =>
  ['app.ts', 'app.test.ts', 'segno.ts', 'bin.ts'].includes(file) || /^app-[a-z-]+\.ts$/.test(file)
const roomOf = (file: string): string => file.split('/')[0] ?? ''
const adapterOf = (file: string): string | undefined => adapters.find((folder) => file.startsWith(`${folder}/`))
const isOwnAdapter = (file: string, wanted: string): boolean =>
  roomOf(file) === roomOf(wanted) && adapterOf(wanted) !== undefined
const packageOf = (name: string): string =>
  name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/')

function homeOf(name: string): readonly string[] | undefined {
  const match = Object.keys(homes).find((home) =>
    home.endsWith('*') ? name.startsWith(home.slice(0, -1)) : home === packageOf(name),
  )
  return match === undefined ? undefined : homes[match]
}
