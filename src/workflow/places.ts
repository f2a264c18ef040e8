import type { Json, JsonObject } from '../contract/message.ts'
import { valueAt } from './value-at.ts'

/** `{{payload}}` or `{{payload.a.0}}`; whatever else stands in braces stays as it is. */
export const PLACE = /\{\{payload((?:\.[\w-]{1,64}){0,16})\}\}/g

/** What a place such as `.a.0` stands for, undefined if there is nothing. */
export const atPlace = (payload: JsonObject, place: string): Json | undefined =>
  valueAt(payload, place.split('.').slice(1))
