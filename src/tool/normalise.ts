import type { FieldForm } from '../contract/tool.ts'

/** The form in which paths, URLs and hosts are compared; what cannot be parsed stays as it is. */
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

/** `a/../b` is `b` even if `a` is a link. Node's own function takes seconds for many dots. */
export function normalisePath(path: string): string {
  const slashed = path.replaceAll('\\', '/')
  const isAbsolute = slashed.startsWith('/')
  const kept: string[] = []
  for (const part of slashed.split('/')) {
    if (part === '' || part === '.') continue
    const isBack = part === '..'
    if (!isBack) kept.push(part)
    else if (kept.length > 0 && kept.at(-1) !== '..') kept.pop()
    else if (!isAbsolute) kept.push(part)
  }
  const text = kept.join('/')
  return isAbsolute ? `/${text}` : text || '.'
}

function normaliseUrl(text: string): string {
  const url = URL.parse(text)
  if (url === null) return text
  url.hash = ''
  return url.href
}
