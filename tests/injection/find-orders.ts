import { type Order, readCodes } from './orders.ts'
import { rot13 } from './wordings.ts'

const INVISIBLE = /[\u200b-\u200f\u2060\ufeff]/g

/** Each way to look at a text that somebody may have hidden something in. */
const LOOKS: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => text.replaceAll(INVISIBLE, ''),
  (text) => text.replaceAll(' ', ''),
  (text) => text.normalize('NFKC'),
  (text) => Array.from(text).reverse().join(''),
  (text) => text.replaceAll(/\\?\\u\{?([0-9a-f]{2,5})\}?/gi, (_, hex: string) => letter(Number.parseInt(hex, 16))),
  (text) => text.replaceAll(/&(?:amp;)?#(\d+);/g, (_, code: string) => letter(Number(code))),
  (text) =>
    Array.from(text)
      .map((one) => letter((one.codePointAt(0) ?? 0) - 0xe0000))
      .join(''),
  rot13,
  percentDecoded,
  (text) =>
    (text.match(/[\w-]{12,}/g) ?? []).map((word) => Buffer.from(word, 'base64url').toString('latin1')).join(' '),
]

const known = new Map<string, readonly Order[]>()

/** Every order in what the model was shown, each once. */
export function ordersIn(texts: readonly string[]): Order[] {
  const found = texts.flatMap((text) => {
    let orders = known.get(text)
    if (!orders) {
      if (known.size > 2000) known.clear()
      known.set(text, (orders = LOOKS.flatMap((look) => readCodes(look(text)))))
    }
    return orders
  })
  const all = [...found, ...readCodes(joined(texts))]
  return [...new Map(all.map((order) => [JSON.stringify(order), order])).values()]
}

/** First halves with second halves, wherever they stood. */
function joined(texts: readonly string[]): string {
  const halves = (mark: string): string[] => {
    const pattern = new RegExp(`xq${mark}([0-9a-z]+)${mark}qx`, 'g')
    return texts.flatMap((text) => [...text.matchAll(pattern)].map(([, half = '']) => half))
  }
  return halves('a')
    .flatMap((first) => halves('b').map((second) => first + second))
    .join(' ')
}

const letter = (code: number): string => (code > 31 && code < 127 ? String.fromCodePoint(code) : ' ')

function percentDecoded(text: string): string {
  const plain = text.replaceAll(/%[0-9a-f]{2}/gi, (hex) => letter(Number.parseInt(hex.slice(1), 16)))
  return plain.replaceAll(' ', '')
}
