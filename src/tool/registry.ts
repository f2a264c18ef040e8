import type { JsonObject } from '../contract/message.ts'
import type { EffectClass } from '../contract/outcome.ts'
import { Problem } from '../contract/problem.ts'
import type { JsonSchema, Tool } from '../contract/tool.ts'
import { canonicalJson } from '../lib/canonical-json.ts'
import { sha256 } from '../lib/hash.ts'
import { readForeignInput, readInput } from './read-input.ts'
import type { Validation } from './schema-check.ts'
import { toolFault } from './tool-fault.ts'

export interface RegisteredTool {
  readonly tool: Tool
  readonly name: string
  readonly description: string
  /** what the model is shown */
  readonly jsonSchema: JsonSchema
  /** changes whenever the tool should be approved again */
  readonly definitionHash: string
  /** `unsafe` if it depends on the arguments */
  readonly effect: EffectClass
  /** whether some calls only read */
  readonly mayBePure: boolean
  /** never rejects; fills in defaults */
  validate(args: JsonObject): Promise<Validation>
}

export interface ToolRegistry {
  get(name: string): RegisteredTool | undefined
  /** sorted by name, so that the same tools make the same prompt */
  all(): readonly RegisteredTool[]
}

export async function createRegistry(tools: readonly Tool[]): Promise<ToolRegistry> {
  const byName = new Map<string, RegisteredTool>()
  for (const tool of tools) {
    const registered = await register(tool)
    if (byName.has(tool.name)) throw misconfigured(tool, 'is registered twice; give one of the two another name')
    byName.set(tool.name, registered)
  }
  return registryOf(byName)
}

/** Adds tools to a registry, except invalid ones and those whose name is taken. */
export async function withTools(registry: ToolRegistry, tools: readonly Tool[]): Promise<ToolRegistry> {
  const more = await Promise.all(tools.map((tool) => register(tool).catch(() => undefined)))
  const added = more.filter((tool) => tool !== undefined && !registry.get(tool.name)) as RegisteredTool[]
  return registryOf(new Map([...registry.all(), ...added].map((tool) => [tool.name, tool])))
}

function registryOf(byName: ReadonlyMap<string, RegisteredTool>): ToolRegistry {
  const sorted = [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
  return { get: (name) => byName.get(name), all: () => sorted }
}

async function register(tool: Tool): Promise<RegisteredTool> {
  const fault = toolFault(tool)
  if (fault !== undefined) throw misconfigured(tool, fault)
  const read = (tool.kind ?? 'local') === 'local' ? readInput(tool.input) : readForeignInput(tool.input)
  const input = await read.catch((error: unknown) => {
    throw misconfigured(tool, `has an input schema that cannot be used: ${(error as Error).message}`, error)
  })
  const { name, description } = tool
  const { jsonSchema, validate } = input
  const effect = typeof tool.effect === 'function' ? 'unsafe' : (tool.effect ?? 'unsafe')
  const approval = typeof tool.approval === 'string' ? { approval: tool.approval } : {}
  const definitionHash = sha256(canonicalJson({ name, description, jsonSchema, effect, ...approval }))
  const mayBePure = effect === 'pure' || typeof tool.effect === 'function'
  return { tool, name, description, jsonSchema, definitionHash, effect, mayBePure, validate }
}

function misconfigured(tool: Tool, fault: string, cause?: unknown): Problem {
  return new Problem('CONFIG_ERROR', `The tool "${tool.name}" ${fault}.`, { field: 'tools', cause })
}
