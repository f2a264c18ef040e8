import type { JsonObject } from '../contract/message.ts'
import type { Shown } from '../contract/shown.ts'
import type { ShowContext } from '../contract/tool.ts'
import { delay } from '../lib/delay.ts'
import { readable } from './readable.ts'
import type { RegisteredTool } from './registry.ts'

/** So that the question does not reach the person too late. */
const SHOW_MS = 2000

/** What a call would do, as its tool describes it; undefined if it does not, or not in time. */
export async function showCall(
  { tool }: RegisteredTool,
  args: JsonObject,
  { signal, ...context }: ShowContext,
): Promise<Shown | undefined> {
  if (!tool.show) return undefined
  const over = new AbortController()
  const until = AbortSignal.any([signal, over.signal])
  try {
    const showing = Promise.resolve(tool.show(args, { ...context, signal: until }))
    const shown = await Promise.race([showing, delay(SHOW_MS, until).then(() => undefined)])
    return shown && readable(shown)
  } catch {
    return undefined
  } finally {
    over.abort()
  }
}
