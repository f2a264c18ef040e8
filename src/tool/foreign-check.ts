import type { JsonObject } from '../contract/message.ts'
import type { JsonSchema } from '../contract/tool.ts'
import { oneAtATime } from '../lib/one-at-a-time.ts'
import { visible } from '../lib/visible.ts'
import { errorText } from './error-text.ts'
import type { Validation } from './schema-check.ts'
import { SchemaThread } from './schema-thread.ts'

const alone = oneAtATime<Validation>()
let thread: SchemaThread | undefined

/**
 * Do arguments fit a schema that a stranger wrote? A pattern in it, or a few references that double each other, can
 * take longer than the universe lasts; so it is used on a thread of its own, which is ended when it takes too long. One
 * thread serves all, one check after the other. Never rejects.
 */
export function foreignCheck(schema: JsonSchema, args: JsonObject): Promise<Validation> {
  return alone('', async () => {
    try {
      if (thread === undefined || thread.isOver) thread = new SchemaThread()
      const checked = await thread.check(JSON.stringify(schema), JSON.stringify(args))
      return checked.ok ? checked : { ok: false, message: visible(checked.message) }
    } catch (error) {
      return { ok: false, message: `The arguments could not be checked: ${visible(errorText(error))}` }
    }
  })
}
