export type Dict = Readonly<Record<string, unknown>>

export const isDict = (value: unknown): value is Dict =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

export const dictsOf = (value: unknown): Dict[] => listOf(value).filter(isDict)

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

export const isBlank = (text: string): boolean => !/\S/.test(text)

/** Are these arguments of a call an object, written as JSON? */
export function isJsonObject(text: unknown): boolean {
  if (typeof text !== 'string') return false
  try {
    return isDict(JSON.parse(text))
  } catch {
    return false
  }
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

export const isBase64 = (value: unknown): boolean => typeof value === 'string' && value !== '' && BASE64.test(value)
