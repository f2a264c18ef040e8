import type { TriggerBody } from '../contract/automation.ts'
import type { JsonObject } from '../contract/message.ts'
import { valueAt } from './value-at.ts'

/**
 * Whether everything that a filter names is in the payload and equal; a field whose name has a full stop has no path.
 */
export const fitsFilter = (filter: TriggerBody['filter'], payload: JsonObject): boolean =>
  Object.entries(filter).every(([path, wanted]) => valueAt(payload, path.split('.')) === wanted)
