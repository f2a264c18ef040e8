import type { Dict } from './values.ts'
import type { Sent } from './sent.ts'

/** Why an API refuses a request, in its own words where they are known. */
export interface Fault {
  readonly message: string
  /** the field, as OpenAI names it */
  readonly param?: string
  readonly code?: string
}

/** What a server knows beside the body. */
interface Known {
  readonly sent: Sent
}

/** Everything that is wrong with a request. */
export type Check = (body: Dict, known: Known) => Fault[]
