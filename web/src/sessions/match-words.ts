/** Those whose label has all the words that were typed, in any order. */
export function matchWords<T extends { readonly label: string }>(named: readonly T[], typed: string): T[] {
  const words = typed.toLowerCase().split(/\s+/)
  return named.filter(({ label }) => words.every((word) => label.toLowerCase().includes(word)))
}
