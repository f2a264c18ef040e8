import type { z } from 'zod'
import type { JsonObject } from '../contract/message.ts'
import type { JsonSchema } from '../contract/tool.ts'
import { errorText } from './error-text.ts'
import { issuesText } from './issues-text.ts'
import { tightened } from './tightened.ts'

export type Validation =
  | { readonly ok: true; readonly args: JsonObject }
  | {
      readonly ok: false
      readonly message: string
      /** it was checked and does not fit; otherwise it could not be checked */
      readonly isUnfit?: true
    }

type Zod = typeof import('./zod.ts')

// Loaded when first needed, because it takes longer than the rest of the start.
let zodModule: Promise<Zod> | undefined
export const loadZod = (): Promise<Zod> => (zodModule ??= import('./zod.ts'))

export async function compileSchema(schema: JsonSchema): Promise<z.ZodType> {
  const zod = await loadZod()
  // Zod's global registry belongs to the program that uses Segno as a library.
  return zod.fromJSONSchema(tightened(schema) as Parameters<Zod['fromJSONSchema']>[0], { registry: zod.registry() })
}

/** Never rejects; fills in defaults. */
export async function checkAgainst(schema: Promise<z.ZodType>, args: JsonObject): Promise<Validation> {
  try {
    const [zod, type] = await Promise.all([loadZod(), schema])
    const parsed = await zod.safeParseAsync(type, args)
    if (parsed.success) return { ok: true, args: parsed.data as JsonObject }
    return { ok: false, message: issuesText(parsed.error.issues, args), isUnfit: true }
  } catch (error) {
    return { ok: false, message: `The arguments cannot be checked: ${errorText(error)}` }
  }
}
