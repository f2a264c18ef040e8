import { reasoning, type Config } from './config/index.ts'
import type { Tool } from './contract/tool.ts'
import type { Clock } from './lib/clock.ts'
import { askModel, mostCost, type Breakers, type Models } from './model/index.ts'
import { createRegistry, deepReasoning, localTools, withTools, type ToolRegistry } from './tool/index.ts'

export interface ToolParts {
  readonly config: Config
  readonly clock: Clock
  readonly models: Models
  readonly breakers: Breakers
  /** of the embedder; the same name replaces a built-in one */
  readonly own: readonly Tool[]
  readonly builtIn: boolean
}

/** The tools of this installation, from wherever they come. */
export interface Toolbox {
  /** those there are in a workspace now */
  of(tenant: string, workspaceId: string): Promise<ToolRegistry>
  close(): Promise<void>
}

export async function assembleTools(parts: ToolParts): Promise<Toolbox> {
  const builtIn = parts.builtIn ? builtInTools(parts) : []
  const named = new Set(parts.own.map(({ name }) => name))
  const registry = await createRegistry([...builtIn.filter(({ name }) => !named.has(name)), ...parts.own])
  return {
    of: async () => registry,
    close: async () => {},
  }
}

function builtInTools(parts: ToolParts): Tool[] {
  const { clock } = parts
  return [...localTools({ now: () => clock.now() }), deepReasoningOf(parts)]
}

/** The second model is asked like any other, and can do nothing but answer. */
function deepReasoningOf({ config, models, breakers }: ToolParts): Tool {
  const { timeoutMs, ...options } = reasoning(config)
  const model = () => models.get(config.reasoningModel ?? models.standard)
  return deepReasoning(
    {
      ask: (question, signal) => askModel(model(), question, { ...options, breakers, signal }),
      cost: (text) => mostCost(model(), text),
    },
    timeoutMs,
  )
}
