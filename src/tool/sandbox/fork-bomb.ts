const NAMES = /([\w:.]+)/

/** Does a function pipe into itself in the background, as in `:(){ :|:& };:`? */
export function forksWithoutEnd(text: string): boolean {
  const parts = text.split(NAMES)
  const between = parts.map((part, at) => (at % 2 === 0 ? part.replaceAll(/\s/g, '') : ''))
  /** functions whose body is open here */
  const open = new Set<string>()
  for (let at = 1; at < parts.length; at += 2) {
    const name = parts[at] ?? ''
    const after = between[at + 1] ?? ''
    const isPipedIntoItself = after === '|' && parts[at + 2] === name && between[at + 3]?.startsWith('&') === true
    if (isPipedIntoItself && open.has(name)) return true
    if (after.includes('}')) open.clear()
    else if (after.startsWith('(){')) open.add(name)
  }
  return false
}
