import { parentPort } from 'node:worker_threads'
import type { z } from 'zod'
import type { JsonObject } from '../contract/message.ts'
import type { JsonSchema } from '../contract/tool.ts'
import { checkAgainst, compileSchema, loadZod, type Validation } from './schema-check.ts'

const MOST_KEPT = 100
/** A large default may be filled in many times. */
const MOST_CHARS = 5_000_000

/** The schemas that were used last. */
const compiled = new Map<string, Promise<z.ZodType>>()

function compiledOf(text: string): Promise<z.ZodType> {
  const found = compiled.get(text) ?? compileSchema(JSON.parse(text) as JsonSchema)
  compiled.delete(text)
  compiled.set(text, found)
  const [oldest] = compiled.keys()
  if (compiled.size > MOST_KEPT && oldest !== undefined) compiled.delete(oldest)
  return found
}

/** As JSON, so that the answer is no larger than its length shows. */
async function check(schema: string, args: string): Promise<string> {
  const checked = JSON.stringify(await checkAgainst(compiledOf(schema), JSON.parse(args) as JsonObject))
  if (checked.length <= MOST_CHARS) return checked
  const tooLong: Validation = { ok: false, message: 'The arguments are too long with their defaults filled in.' }
  return JSON.stringify(tooLong)
}

parentPort?.on('message', ({ schema, args }: { schema: string; args: string }) => {
  void check(schema, args).then((checked) => parentPort?.postMessage(checked, []))
})

await loadZod()
parentPort?.postMessage('ready', [])
