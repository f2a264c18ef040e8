const OPENING = /<(script|style)\b/gi
const CLOSING = { script: /<\/script\s*>/gi, style: /<\/style\s*>/gi } as const

/** HTML without scripts and styles, in one pass; one that does not end stays. */
export function withoutScripts(html: string): string {
  const kept: string[] = []
  const endless = new Set<string>()
  let from = 0
  for (const { index, 1: name = '' } of html.matchAll(OPENING)) {
    const kind = name.toLowerCase() as keyof typeof CLOSING
    if (index < from || endless.has(kind)) continue
    const closing = CLOSING[kind]
    closing.lastIndex = index
    if (closing.test(html)) {
      kept.push(html.slice(from, index))
      from = closing.lastIndex
    } else endless.add(kind)
  }
  return kept.join('') + html.slice(from)
}
