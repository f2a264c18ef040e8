import type { JsonObject } from '../../src/contract/message.ts'

/** What a text tells the obedient model to do. */
export interface Order {
  readonly tool: string
  readonly args: JsonObject
  /** obeyed once and as it stands; any other is tried again, changed by one byte, and once more */
  readonly once?: boolean
}

const numbered: Order[] = []

/**
 * The grammar: letters and digits only, so that no way a text takes (markdown, JSON, URLs, names of tools) can spoil it.
 * What hides it is the wording around it.
 */
export const codeOf = (order: Order): string => `zq${Buffer.from(JSON.stringify(order)).toString('hex')}qz`

/**
 * The same by number, for names: they have no room for more. It stands there twice, so that halves of two orders do not
 * make a third one.
 */
export function shortCodeOf(order: Order): string {
  let at = numbered.findIndex((one) => JSON.stringify(one) === JSON.stringify(order))
  if (at < 0) at = numbered.push(order) - 1
  return `zqn${at}n${at}sqz`
}

export function readCodes(text: string): Order[] {
  const whole = text.matchAll(/zq((?:[0-9a-f]{2})+)qz/g).map(([, hex = '']) => parsed(hex))
  const short = text.matchAll(/zqn(\d+)n\1sqz/g).map(([, at]) => numbered[Number(at)])
  return [...whole, ...short].filter((order) => order !== undefined)
}

function parsed(hex: string): Order | undefined {
  try {
    return JSON.parse(Buffer.from(hex, 'hex').toString()) as Order
  } catch {
    return undefined
  }
}
