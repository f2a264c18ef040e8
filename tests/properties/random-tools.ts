import { z } from 'zod'
import type { JsonObject } from '../../src/contract/message.ts'
import type { EffectClass } from '../../src/contract/outcome.ts'
import {
  answersLater,
  withFiles,
  type ApprovalNeed,
  type Tool,
  type ToolContext,
  type ToolOutput,
  type Verification,
} from '../../src/contract/tool.ts'
import { delay } from '../../src/lib/delay.ts'
import { createRegistry, type RegisteredTool, type ToolRegistry } from '../../src/tool/index.ts'
import type { Life } from './life.ts'
import type { Toolbox } from './plan.ts'
import { never } from './stage.ts'
import { TOOL_NAMES, type ToolName } from './tool-names.ts'

export const CLASSES: Readonly<Record<ToolName, { effect: EffectClass; approval: ApprovalNeed }>> = {
  look: { effect: 'pure', approval: 'auto' },
  peek: { effect: 'pure', approval: 'ask' },
  put: { effect: 'keyed', approval: 'auto' },
  save: { effect: 'keyed', approval: 'ask' },
  book: { effect: 'verifiable', approval: 'auto' },
  order: { effect: 'verifiable', approval: 'ask' },
  send: { effect: 'unsafe', approval: 'auto' },
  mail: { effect: 'unsafe', approval: 'ask' },
  wipe: { effect: 'unsafe', approval: 'always' },
}

/** What a tool says that failed and may have done something all the same. */
export const IN_DOUBT = 'the line went dead while sending'

/** In the smaller toolbox. */
const GONE: readonly ToolName[] = ['look', 'put', 'book', 'mail']

const fields = z.object({
  x: z.int().min(0).max(9).optional(),
  note: z.string().default('none'),
  deep: z.looseObject({}).optional(),
})

const registries = new Map<Toolbox, Promise<ToolRegistry>>()

function registryOf(toolbox: Toolbox): Promise<ToolRegistry> {
  const known = registries.get(toolbox)
  if (known) return known
  const names = toolbox === 'smaller' ? TOOL_NAMES.filter((name) => !GONE.includes(name)) : TOOL_NAMES
  const made = createRegistry(names.map((name) => declare(name, toolbox)))
  registries.set(toolbox, made)
  return made
}

/** The tools as one process has them: it is known which process runs them. */
export async function toolsFor(life: Life, toolbox: Toolbox): Promise<ToolRegistry> {
  const registry = await registryOf(toolbox)
  const all = registry.all().map((tool) => ({ ...tool, tool: runBy(life, tool) }))
  const byName = new Map<string, RegisteredTool>(all.map((tool) => [tool.name, tool]))
  return { get: (name) => byName.get(name), all: () => all }
}

function declare(name: ToolName, toolbox: Toolbox): Tool {
  const stub = (): never => {
    throw new Error('runs only in the hands of a process')
  }
  const { effect, approval } = CLASSES[name]
  return {
    name,
    description: toolbox === 'redefined' ? `now does ${name} otherwise` : `does ${name}`,
    input: name === 'look' ? fields : fields.required({ x: true }),
    effect,
    approval,
    cost: name === 'send' ? 7 : 0,
    run: stub,
    ...(effect === 'verifiable' && { verify: stub }),
  }
}

function runBy(life: Life, { tool, effect, definitionHash: definition }: RegisteredTool): Tool {
  const note = (what: 'run' | 'verify', ctx: ToolContext): void =>
    life.stage.executed({ callId: ctx.callId, key: ctx.idempotencyKey, tool: tool.name, effect, what, definition })
  return {
    ...tool,
    run: (args, ctx) => {
      if (!life.acts(`ran ${tool.name}`)) return never()
      note('run', ctx)
      return run(life, tool.name, args, ctx)
    },
    ...(tool.verify && {
      verify: async (_, ctx) => {
        if (!life.acts(`looked up ${tool.name}`)) return never()
        note('verify', ctx)
        return verify(life)
      },
    }),
  }
}

function run(
  life: Life,
  name: string,
  args: JsonObject,
  ctx: ToolContext,
): ToolOutput | Promise<ToolOutput> | AsyncIterable<string> {
  switch (life.stage.nextRun()) {
    case 'ok':
      return `${name} did ${JSON.stringify(args)}`
    case 'empty':
      return undefined
    case 'throw':
      throw new Error(`${name} broke`)
    case 'doubt':
      throw Object.assign(new Error(IN_DOUBT), { effect: 'unknown' })
    case 'slow':
      return delay(5000, ctx.signal).then(() => 'after a while')
    case 'hang':
      return new Promise((_, reject) => {
        ctx.signal.addEventListener('abort', () => reject(new Error('stopped')), { once: true })
      })
    case 'deaf':
      return never()
    case 'huge':
      return `${name} ${'x'.repeat(3000)}`
    case 'pieces':
      return inPieces(name)
    case 'picture':
      return withFiles('a picture', [{ mediaType: 'image/png', data: PICTURE }])
    case 'later':
      return answersLater(name)
    case 'crash':
      life.kill()
      return never()
  }
}

export const PICTURE = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(500, 7)])

async function* inPieces(name: string): AsyncGenerator<string> {
  yield name
  yield ' in pieces'
}

async function verify(life: Life): Promise<Verification> {
  switch (life.stage.nextRun()) {
    case 'ok':
    case 'huge':
    case 'pieces':
    case 'picture':
      return { happened: true, output: 'it happened' }
    case 'later':
      return { happened: true, output: answersLater('found') }
    case 'empty':
    case 'slow':
      return { happened: false }
    case 'throw':
    case 'doubt':
      throw new Error('cannot look it up')
    case 'hang':
      return { happened: 'unknown' }
    case 'deaf':
      return never()
    case 'crash':
      life.kill()
      return never()
  }
}
