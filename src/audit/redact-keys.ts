import { REDACTED } from './input-hash.ts'

const KEY_BEGINS = /-----BEGIN ([A-Z ]{0,30})PRIVATE KEY-----/g

/** Removes PEM private keys; one without an end is removed up to the end of the text. */
export function withoutPrivateKeys(text: string): string {
  const kept: string[] = []
  let from = 0
  for (const { index, 1: kind = '' } of text.matchAll(KEY_BEGINS)) {
    if (index < from) continue
    kept.push(text.slice(from, index), REDACTED)
    const end = `-----END ${kind}PRIVATE KEY-----`
    const at = text.indexOf(end, index)
    from = at < 0 ? text.length : at + end.length
  }
  return kept.join('') + text.slice(from)
}

const TOKEN_START = /\beyJ/g
const SHORTEST_PART = 6

/** Removes JSON Web Tokens: three parts joined by dots, the first beginning with `eyJ`. */
export function withoutWebTokens(text: string): string {
  if (!text.includes('eyJ')) return text
  return text.replace(/[\w.-]+/g, (run) => (run.includes('eyJ') ? redactRun(run) : run))
}

function redactRun(run: string): string {
  const parts = run.split('.')
  const written: string[] = []
  for (let at = 0; at < parts.length; at += 1) {
    const part = parts[at] ?? ''
    const start = (parts[at + 1]?.length ?? 0) >= SHORTEST_PART && at + 2 < parts.length ? tokenStart(part) : -1
    written.push(start < 0 ? part : `${part.slice(0, start)}${REDACTED}`)
    if (start >= 0) at += 2
  }
  return written.join('.')
}

/** Where a long enough token may begin, or -1. */
function tokenStart(part: string): number {
  const first = part.matchAll(TOKEN_START).next().value?.index ?? -1
  return first >= 0 && part.length - first >= 'eyJ'.length + SHORTEST_PART ? first : -1
}

const KEY_NAME = /\b(?:[spr]k[-_]|gh[pousr]_|github_pat_|glpat-|npm_|xox[abeprs]-|hf_|segno_)/
const SHORTEST_KEY = 16

/** Removes API keys with a known prefix such as `ghp_`. */
export function withoutNamedKeys(text: string): string {
  return text.replace(/[\w-]+/g, (run) => {
    const found = run.length > SHORTEST_KEY ? KEY_NAME.exec(run) : null
    if (found === null || run.length - found.index - found[0].length < SHORTEST_KEY) return run
    return `${run.slice(0, found.index)}${REDACTED}`
  })
}
