/**
 * How patterns of a policy match. `narrow` is for rules that allow: nothing unclear is taken for a match. `wide` is for
 * rules that ask or deny: one reading of the value that matches is enough.
 */
export type Reading = 'narrow' | 'wide'

const compiled = new Map<string, RegExp>()

/** `*` stands for any letters; with `apart` set it does not cross one, and `**` does. */
export function glob(pattern: string, text: string, options: { apart?: '/' | '.'; anyCase?: boolean } = {}): boolean {
  const { apart, anyCase = false } = options
  const key = `${apart ?? ''}${anyCase ? 'i' : ''} ${pattern}`
  let found = compiled.get(key)
  if (!found) {
    if (compiled.size > 10_000) compiled.clear()
    compiled.set(key, (found = new RegExp(`^(?:${source(pattern, apart)})$`, anyCase ? 'isu' : 'su')))
  }
  return found.test(text)
}

function source(pattern: string, apart: '/' | '.' | undefined): string {
  return pattern
    .split(/(\*\*\/|\*+)/)
    .map((part) => {
      if (part === '**/') return apart === '/' ? '(?:.*/)?' : '.*/'
      if (/^\*+$/.test(part)) return apart === undefined || part.length > 1 ? '.*' : `[^${apart}]*`
      return part.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`)
    })
    .join('')
}

/** Hosts are compared as the URL standard writes them. A pattern without a port means, where it allows, the usual one. */
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

/** Paths are in their normal form: what climbs out of the workspace matches nothing that allows. */
export function matchesPath(pattern: string, path: string, reading: Reading): boolean {
  const wanted = pattern.replace(/^\.\//, '')
  if (reading === 'wide') return glob(wanted, path.normalize('NFC'), { apart: '/', anyCase: true })
  const climbs = path === '..' || path.startsWith('../') || path.startsWith('/')
  return !climbs && glob(wanted, path, { apart: '/' })
}

/** Anything a shell would do more with than pass it on. */
const SHELL = /[;&|<>()$`\\\n\r*?[\]{}~!#]/

/**
 * Where a rule allows, one plain command must match whole; a shell could make anything of the rest. Where it does not,
 * every piece of the command is looked at, with quotes taken away and from each word on: `rm *` means `sudo /bin/rm x` too.
 */
export function matchesCommand(pattern: string, command: string, reading: Reading): boolean {
  const wanted = pattern.trim()
  if (reading === 'narrow') return wanted === command || (!SHELL.test(command) && glob(wanted, command.trim()))
  const pieces = command.split(/[;&|()`\n\r]|\$\(/)
  return [command, ...pieces].some((piece) => suffixes(piece).some((text) => glob(wanted, text, { anyCase: true })))
}

function suffixes(piece: string): string[] {
  const words = piece
    .replaceAll(/["'\\]/g, '')
    .trim()
    .split(/\s+/)
  return words.slice(0, MOST_WORDS).flatMap((word, at) => {
    const rest = words.slice(at + 1)
    return [word, word.slice(word.lastIndexOf('/') + 1)].map((first) => [first, ...rest].join(' '))
  })
}

const MOST_WORDS = 200
