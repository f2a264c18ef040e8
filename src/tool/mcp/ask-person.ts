import type { JsonSchema, ToolContext } from '../../contract/tool.ts'
import { isObject } from '../../lib/type-guards.ts'

/** An answer as the protocol defines it. */
export type Elicited =
  | { readonly action: 'accept'; readonly content?: Record<string, string | number | boolean | string[]> }
  | { readonly action: 'decline' | 'cancel' }

/** Puts a server's question to the person who made the call; an invalid question is declined. */
export async function askPerson(params: unknown, server: string, ctx: ToolContext): Promise<Elicited> {
  if (!isObject(params) || typeof params['message'] !== 'string') return { action: 'decline' }
  const says = `The MCP server "${server}" asks: ${params['message']}`
  if (params['mode'] === 'url') {
    if (typeof params['url'] !== 'string') return { action: 'decline' }
    // Only the person opens it.
    const { action } = await ctx.ask({ message: `${says}\n${params['url']}` })
    return { action }
  }
  const schema = params['requestedSchema']
  if (!isObject(schema) || schema['type'] !== 'object') return { action: 'decline' }
  const answer = await ctx.ask({ message: says, schema: schema as JsonSchema })
  if (answer.action !== 'accept') return { action: answer.action }
  return {
    action: 'accept',
    content: { ...defaults(schema['properties']), ...answer.content } as Record<string, string>,
  }
}

/** The defaults of a question, for fields that the person left out. */
function defaults(properties: unknown): Record<string, unknown> {
  if (!isObject(properties)) return {}
  const suggested = Object.entries(properties).flatMap(([name, one]) =>
    isObject(one) && one['default'] !== undefined ? [[name, one['default']] as const] : [],
  )
  return Object.fromEntries(suggested)
}
