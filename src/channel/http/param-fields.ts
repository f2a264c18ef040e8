import { z } from '@hono/zod-openapi'
import { EFFORTS, TOOL_CHOICES, type ModelParams } from '../../contract/model-params.ts'
import type { JsonSchema } from '../../contract/tool.ts'

const name = z.string().min(1).max(200)

/** How the model is to answer; which of them a model takes is checked later. */
const PARAMS = {
  effort: z.enum(EFFORTS).describe('how much it thinks'),
  temperature: z.number().min(0).max(2),
  maxOutput: z.number().int().min(1).describe('tokens of one answer, at most as many as the model may give'),
  tools: z.array(name).max(200).readonly().describe('only these, of the tools that may be used anyway'),
  toolChoice: z
    .union([z.enum(TOOL_CHOICES), z.strictObject({ tool: name })])
    .describe('`required` and `{tool}` hold until the first call of the round'),
  output: z
    .strictObject({ schema: z.record(z.string(), z.unknown()).transform((schema) => schema as JsonSchema) })
    .describe('a JSON schema; the answer is one JSON object that fits it')
    .openapi({ type: 'object', properties: { schema: { type: 'object' } }, required: ['schema'] }),
} satisfies { readonly [Name in keyof ModelParams]-?: z.ZodType }

export const paramFields = {
  effort: PARAMS.effort.optional(),
  temperature: PARAMS.temperature.optional(),
  maxOutput: PARAMS.maxOutput.optional(),
  tools: PARAMS.tools.optional(),
  toolChoice: PARAMS.toolChoice.optional(),
  output: PARAMS.output.optional(),
}

/** null takes one back. */
export const changedParamFields = {
  effort: PARAMS.effort.nullable().optional(),
  temperature: PARAMS.temperature.nullable().optional(),
  maxOutput: PARAMS.maxOutput.nullable().optional(),
  tools: PARAMS.tools.nullable().optional(),
  toolChoice: PARAMS.toolChoice.nullable().optional(),
  output: PARAMS.output.nullable().optional(),
}
