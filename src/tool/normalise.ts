import { posix } from 'node:path'
import type { FieldForm } from '../contract/tool.ts'

/** The spelling under which two paths, URLs or hosts are compared; what cannot be read stays as it is. */
export function normalise(text: string, as: FieldForm): string {
  switch (as) {
    case 'path':
      return normalisePath(text)
    case 'url':
      return normaliseUrl(text)
    case 'host':
      return text.toLowerCase().replace(/\.$/, '')
    case 'command':
      return text
  }
}

/** Lexical: `a/../b` is `b` whatever `a` is. */
export function normalisePath(path: string): string {
  return posix.normalize(path.replaceAll('\\', '/')).replace(/(?<=.)\/$/s, '')
}

function normaliseUrl(text: string): string {
  const url = URL.parse(text)
  if (url === null) return text
  url.hash = ''
  return url.href
}
