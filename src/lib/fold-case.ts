/** Maps texts that differ only in case or Unicode form to the same text. */
export function foldCase(text: string): string {
  // Only both directions unify ẞ, ß and ss, and all forms of sigma.
  return text.normalize('NFKC').toLowerCase().toUpperCase()
}
