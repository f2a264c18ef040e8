/** What a calculation may call by name. */
export const CONSTANTS = new Map([
  ['pi', Math.PI],
  ['e', Math.E],
])

export const FUNCTIONS = new Map<string, (...values: number[]) => number>([
  ['sqrt', Math.sqrt],
  ['abs', Math.abs],
  ['round', Math.round],
  ['floor', Math.floor],
  ['ceil', Math.ceil],
  ['min', Math.min],
  ['max', Math.max],
  ['log', Math.log10],
  ['ln', Math.log],
  ['exp', Math.exp],
  ['sin', Math.sin],
  ['cos', Math.cos],
  ['tan', Math.tan],
])
/** all others take one number */
export const TAKE_SEVERAL = ['min', 'max']
