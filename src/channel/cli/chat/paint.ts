export type Paint = (tint: Tint, text: string) => string

const CODES = {
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
  danger: ['1;31', '22;39'],
} as const

export type Tint = keyof typeof CODES

export const plain: Paint = (_, text) => text

export const coloured: Paint = (tint, text) => {
  const [on, off] = CODES[tint]
  return text === '' ? '' : `\x1b[${on}m${text}\x1b[${off}m`
}

/** See no-color.org: an empty NO_COLOR does not count. */
export const wantsColours = (env: NodeJS.ProcessEnv): boolean => !env['NO_COLOR'] && env['TERM'] !== 'dumb'
