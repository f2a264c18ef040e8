import type { JsonObject } from '../contract/message.ts'
import { betweenMarkers } from '../lib/between-markers.ts'
import { atPlace, PLACE } from './places.ts'

interface Filling {
  readonly payload: JsonObject
  /** makes the markers hard to guess; the same one gives the same text */
  readonly secret: string
  /** where the words come from, for the model */
  readonly from: string
  /** characters that may be inserted in all */
  readonly most: number
}

/** Puts words from outside into a text of somebody of ours, each between markers that they cannot contain. */
export function fillTemplate(template: string, { payload, secret, from, most }: Filling): string {
  let left = most
  return template.replaceAll(PLACE, (_, path: string, at: number) => {
    const name = `payload${path}`
    const found = left > 0 ? atPlace(payload, path) : undefined
    if (left <= 0) return `(${name} is left out, because the message would become too long)`
    if (found === undefined) return `(there is no ${name})`
    const text = typeof found === 'string' ? found : JSON.stringify(found, null, 2)
    const kept = text.slice(0, left).toWellFormed()
    const cut = text.length > kept.length ? `, cut after ${kept.length} of ${text.length} characters` : ''
    const marked = betweenMarkers(kept, `${secret}\n${name}`, `${name} of ${from}${cut}`)
    left -= marked.length
    return `${at === 0 || template[at - 1] === '\n' ? '' : '\n'}${marked}\n`
  })
}

/** Whether words from outside would be put into this text. */
export const hasPlace = (template: string): boolean => template.search(PLACE) >= 0
