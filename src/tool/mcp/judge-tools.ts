import type { ToolStatus } from '../../contract/mcp.ts'
import type { JsonObject } from '../../contract/message.ts'
import type { JsonSchema } from '../../contract/tool.ts'
import { visible } from '../../lib/visible.ts'
import { readForeignInput } from '../read-input.ts'
import type { Offer } from './offer.ts'
import type { Pin } from './ports.ts'
import { toolName } from './tool-name.ts'

export interface JudgedTool extends Omit<ToolStatus, 'name' | 'annotations'> {
  /** as the server calls it */
  readonly name: string
  readonly wire?: JsonObject
  /** the trusted definition, if this one is quarantined */
  readonly pin?: Pin
}

/** Compares what a server lists with what is trusted; of new names, at most `mostPins` are remembered. */
export async function judgeTools(
  server: string,
  offers: readonly Offer[],
  pins: Readonly<Record<string, Pin>>,
  mostPins: number,
) {
  const names = tally(offers.map(({ name }) => name))
  const shown = tally([...names.keys()].map((name) => toolName(server, name)))
  /** tools seen for the first time, which are trusted once they are stored */
  const fresh: Extract<Offer, { wire: JsonObject }>[] = []
  const trusted = Object.keys(pins)
  const tools: JudgedTool[] = []
  for (const offer of new Map(offers.map((one) => [one.name, one])).values()) {
    const { name } = offer
    const as = toolName(server, name)
    const pin = Object.hasOwn(pins, name) ? pins[name] : undefined
    const fault = await faultOf(offer, names, (shown.get(as) ?? 0) > 1)
    if (fault !== undefined || 'fault' in offer)
      tools.push({ name, as, state: 'refused', reason: fault ?? 'it cannot be used' })
    else if (pin !== undefined && pin.hash !== offer.hash) {
      const reason = 'its definition is not the trusted one'
      tools.push({ name, as, state: 'quarantined', reason, hash: offer.hash, wire: offer.wire, pin })
    } else if (pin === undefined && trusted.length + fresh.length >= mostPins) {
      const reason = `only ${mostPins} names of a server are remembered; named otherwise in SEGNO_MCP, it starts anew`
      tools.push({ name, as, state: 'refused', reason })
    } else {
      if (pin === undefined) fresh.push(offer)
      tools.push({ name, as, state: 'pinned', hash: offer.hash, wire: offer.wire })
    }
  }
  const missing = trusted.filter((name) => !names.has(name)).slice(0, mostPins)
  tools.push(...missing.map((name) => ({ name, as: toolName(server, name), state: 'missing' as const })))
  return { tools, fresh }
}

async function faultOf(offer: Offer, names: ReadonlyMap<string, number>, isShared: boolean) {
  if ('fault' in offer) return offer.fault
  if ((names.get(offer.name) ?? 0) > 1) return 'the server lists it more than once'
  if (isShared) return 'another tool of the server comes to the same name here'
  try {
    await readForeignInput((offer.wire['inputSchema'] ?? {}) as JsonSchema)
    return undefined
  } catch (error) {
    return `its input schema cannot be used: ${visible((error as Error).message)}`
  }
}

function tally(words: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}
