/**
 * How patterns of a policy match: `narrow`, for rules that allow, needs a clear match; for `wide`, for rules that ask or
 * deny, one possible reading of the value is enough. Values may be long and hostile, so matching takes linear time.
 */
export type Reading = 'narrow' | 'wide'

/** `*` matches any letters. */
export function glob(pattern: string, text: string, { anyCase = false } = {}): boolean {
  if (anyCase) return glob(pattern.toLowerCase(), text.toLowerCase())
  return inOrder(pattern.split(/\*+/), text.length, {
    size: (part) => part.length,
    isAt: (part, at) => text.startsWith(part, at),
    find: (part, from) => text.indexOf(part, from),
  })
}

interface Finding<Part> {
  size(part: Part): number
  isAt(part: Part, at: number): boolean
  /** the first position from there on, or -1 */
  find(part: Part, from: number): number
}

/** The first part at the start, the last at the end, the others in order at their first match, which leaves most room. */
function inOrder<Part>(parts: readonly Part[], length: number, { size, isAt, find }: Finding<Part>): boolean {
  const [first, ...between] = parts as [Part, ...Part[]]
  const last = between.pop()
  if (last === undefined) return size(first) === length && isAt(first, 0)
  if (!isAt(first, 0)) return false
  let from = size(first)
  for (const part of between) {
    const at = find(part, from)
    if (at < 0) return false
    from = at + size(part)
  }
  const end = length - size(last)
  return end >= from && isAt(last, end)
}

/** Compares normalized hosts; in an `allow`, a pattern without a port means the default one. */
export function matchesHost(pattern: string, url: URL, reading: Reading): boolean {
  const [, wanted = '', port] = /^(.*?)(?::(\d+))?$/.exec(pattern.toLowerCase()) ?? []
  if (port === undefined ? reading === 'narrow' && url.port !== '' : portOf(url) !== port) return false
  const host = url.hostname.replace(/\.$/, '')
  if (wanted === '*') return true
  const name = plainHost(wanted.replace(/^\*\./, ''))
  if (wanted.startsWith('*.')) return host.endsWith(`.${name}`)
  return host === name || (reading === 'wide' && host.endsWith(`.${name}`))
}

const portOf = (url: URL): string => url.port || (url.protocol === 'http:' ? '80' : '443')

function plainHost(name: string): string {
  return URL.parse(`http://${name}/`)?.hostname.replace(/\.$/, '') ?? name
}

/** Whether any host can match it, unlike `https://example.org` or `exam*.org`. */
export function isHostPattern(pattern: string): boolean {
  const name = pattern.replace(/:\d{1,5}$/, '').replace(/^\*\./, '')
  if (name === '*') return !pattern.startsWith('*.')
  if (/^\[[\da-f:.]+\]$/i.test(name)) return URL.canParse(`http://${name}/`)
  return !/[\s/\\?#@:*[\]]|^\.|\.\./.test(name) && URL.canParse(`http://${name}/`)
}

/** A path out of the workspace matches no `allow`; for other rules it may lead back in. */
export function matchesPath(pattern: string, path: string, reading: Reading): boolean {
  const steps = stepsOf(path)
  const climbs = /^[\\/]/.test(path) || steps[0] === '..'
  const wanted = pattern.split('/').filter((step) => step !== '' && step !== '.')
  if (reading === 'narrow') return !climbs && !pattern.startsWith('/') && matchesSteps(wanted, steps, {})
  const loose = wanted.map((step) => step.normalize('NFC'))
  const anywhere = climbs ? ['**', ...loose] : loose
  return matchesSteps(anywhere, stepsOf(path.normalize('NFC')), { anyCase: true })
}

/** `**` must stand alone between slashes. */
export function isPathPattern(pattern: string): boolean {
  return pattern.split('/').every((step) => step === '**' || !step.includes('**'))
}

function matchesSteps(wanted: readonly string[], steps: readonly string[], options: { anyCase?: boolean }): boolean {
  const isAt = (run: readonly string[], at: number): boolean =>
    run.every((step, i) => glob(step, steps[at + i] as string, options))
  return inOrder(runsOf(wanted), steps.length, {
    size: (run) => run.length,
    isAt: (run, at) => at + run.length <= steps.length && isAt(run, at),
    find(run, from) {
      for (let at = from; at + run.length <= steps.length; at += 1) if (isAt(run, at)) return at
      return -1
    },
  })
}

/** The steps between one `**` and the next. */
function runsOf(wanted: readonly string[]): string[][] {
  const runs: string[][] = [[]]
  for (const step of wanted) {
    if (step === '**') runs.push([])
    else runs.at(-1)?.push(step)
  }
  return runs
}

/** Without the file system: `a/../b` is `b`, whatever `a` is. */
function stepsOf(path: string): string[] {
  const steps: string[] = []
  for (const step of path.split(/[\\/]+/)) {
    if (step === '' || step === '.') continue
    if (step === '..' && steps.length > 0 && steps.at(-1) !== '..') steps.pop()
    else steps.push(step)
  }
  return steps
}

/** Characters with a meaning for the shell. */
const SHELL = /[;&|<>()$`\\\n\r*?[\]{}~!#]/

/**
 * An `allow` must match one whole plain command, because a shell could do anything with the rest. Other rules match from
 * any word on, however it is quoted: `rm` matches `sudo /bin/rm x` too.
 */
export function matchesCommand(pattern: string, command: string, reading: Reading): boolean {
  const wanted = pattern.trim()
  if (reading === 'narrow') return wanted === command || (!SHELL.test(command) && glob(wanted, command.trim()))
  const withMore = oneSpace(wanted.endsWith('*') ? wanted : `${wanted} *`)
  const unquoted = command.replaceAll(/\\\r?\n|\$(?=["'])|["'\\]/g, '')
  const loose = unquoted.replaceAll(/\$\{IFS[^}]{0,20}\}|\$IFS|[;&|()`{}<>,=$]/g, ' ')
  return [command, unquoted, loose].some((text) => {
    const words = ` ${oneSpace(text)} `
    return [`* ${withMore}`, `*/${withMore}`].some((one) => glob(one, words, { anyCase: true }))
  })
}

const oneSpace = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()
