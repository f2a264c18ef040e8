export type Tint = 'bold' | 'italic' | 'dim' | 'strike' | 'code' | 'link' | 'heading' | 'good' | 'bad' | 'careful'

/** A text in a tint, or as it is where there are no colours. */
export type Paint = (tint: Tint, text: string) => string

const CODES: Readonly<Record<Tint, readonly [number, number]>> = {
  bold: [1, 22],
  italic: [3, 23],
  dim: [2, 22],
  strike: [9, 29],
  code: [36, 39],
  link: [4, 24],
  heading: [1, 22],
  good: [32, 39],
  bad: [31, 39],
  careful: [33, 39],
}

export const plain: Paint = (_, text) => text

export const coloured: Paint = (tint, text) => {
  const [on, off] = CODES[tint]
  return text === '' ? '' : `\x1b[${on}m${text}\x1b[${off}m`
}

/** NO_COLOR with any value but the empty one means none; a dumb terminal knows none. */
export const wantsColours = (env: NodeJS.ProcessEnv): boolean => !env['NO_COLOR'] && env['TERM'] !== 'dumb'
