/** How providers name the window in their errors. */
const PATTERNS: readonly RegExp[] = [
  /\d(?: tokens)? > (\d{1,3}(?:,\d{3}){1,3}|\d{1,9})\b/,
  /\b(\d{1,9}) maximum context length/i,
  /context (?:length|window|size|limit)(?: is| of)?(?: only)? \(?(\d{1,3}(?:,\d{3}){1,3}|\d{1,9})\b/i,
  /maximum (?:model length of|prompt length is|allowed input length of|number of tokens allowed) \(?(\d{1,9})\b/i,
  /model token limit: (\d{1,9})\b/i,
  /exceeds the limit of (\d{1,9})\b/i,
  /range of input length should be \[\d{1,9}, ?(\d{1,9})\]/i,
]

/** The window that a provider's message names, in tokens. */
export function toldWindow(message: string): number | undefined {
  for (const pattern of PATTERNS) {
    const [, digits] = pattern.exec(message) ?? []
    if (digits !== undefined) return Number(digits.replaceAll(',', ''))
  }
  return undefined
}
