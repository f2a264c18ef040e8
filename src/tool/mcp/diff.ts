import type { Json, JsonObject } from '../../contract/message.ts'
import { visible } from '../../lib/visible.ts'
import { isObject } from '../../lib/type-guards.ts'

/** All differences between two definitions, one per line: `- path: old`, `+ path: new`. */
export function diff(before: JsonObject, after: JsonObject): string {
  return lines(before, after, '').join('\n')
}

function lines(before: Json | undefined, after: Json | undefined, path: string): string[] {
  if (isObject(before) && isObject(after)) {
    const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort()
    return keys.flatMap((key) => lines(own(before, key), own(after, key), `${path}.${shownKey(key)}`))
  }
  if (Array.isArray(before) && Array.isArray(after)) {
    const length = Math.max(before.length, after.length)
    return Array.from({ length }, (_, at) => lines(before[at] as Json, after[at] as Json, `${path}[${at}]`)).flat()
  }
  const was = shown(before)
  const is = shown(after)
  if (was === is) return []
  const place = path.slice(1) || 'definition'
  return [...(was === undefined ? [] : [`- ${place}: ${was}`]), ...(is === undefined ? [] : [`+ ${place}: ${is}`])]
}

function own(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined
}

function shown(value: Json | undefined): string | undefined {
  return value === undefined ? undefined : visible(JSON.stringify(value))
}

function shownKey(key: string): string {
  return /^[\w$-]+$/.test(key) ? key : visible(JSON.stringify(key))
}
