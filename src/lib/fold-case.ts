/** Two texts that differ in nothing but case, or in how their letters are put together, are the same text. */
export function foldCase(text: string): string {
  // Down and up: only both ways make ẞ, ß and ss one, and all forms of sigma.
  return text.normalize('NFKC').toLowerCase().toUpperCase()
}
