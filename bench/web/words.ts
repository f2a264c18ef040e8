/** A text of numbered words in the shapes models write, one piece for each delta. */
export function numberedPieces(count: number): string[] {
  return Array.from({ length: count }, (_, i) => `${before(i)}w${i} `)
}

function before(i: number): string {
  if (i % 240 === 0) return `\n\n## Part ${i / 240 + 1}\n\n`
  if (i % 240 === 120) return '\n\n```ts\n'
  if (i % 240 === 160) return '\n```\n\n'
  if (i % 240 > 160 && i % 20 === 0) return '\n- '
  if (i % 60 === 0) return '\n\n'
  return i % 17 === 0 ? '**also** ' : ''
}
