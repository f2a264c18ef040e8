import type { AddedText, SentParams } from '../contract/sent-prompt.ts'
import { textOf, type AssistantPart, type JsonObject } from '../contract/message.ts'
import type { ForcedChoice, ModelParams } from '../contract/model-params.ts'
import type { JsonSchema } from '../contract/tool.ts'
import { readAnswer } from '../lib/read-answer.ts'
import { takesSchema, type Model, type ModelRequest } from '../model/index.ts'
import type { Round } from '../session/index.ts'
import type { Deps } from './deps.ts'
import type { TurnStep } from './prepare-turn.ts'

/** What is asked of one answer, as its request, the log and the words to the model have it. */
export interface AskedAnswer {
  readonly request: Pick<ModelRequest, 'mayUseTools' | 'toolChoice' | 'output'>
  readonly sent: Pick<SentParams, 'mayUseTools' | 'toolChoice' | 'output'>
  readonly words: readonly AddedText[]
}

/** Calls of a turn that may not use tools are ignored. */
export const mayUseTools = ({ last }: TurnStep, { started }: Round): boolean =>
  last === null && started.params?.toolChoice !== 'none'

/** `isAgain`: the answer before did not fit. */
export function askedAnswer(
  step: TurnStep,
  round: Round,
  model: Model,
  { toolChoice, output }: ModelParams,
  tools: readonly { readonly name: string }[],
  isAgain: boolean,
): AskedAnswer {
  const may = mayUseTools(step, round)
  const isFirst = round.calls.length === 0 && round.started.continues === undefined
  const forced = may && isFirst ? forcedBy(toolChoice, tools) : undefined
  const schema = output?.schema
  const isHeld = schema !== undefined && takesSchema(model, schema, tools.length > 0)
  // A turn that has to call a tool is no answer yet.
  const held = isHeld && forced === undefined ? schema : undefined
  const choice = { mayUseTools: may, ...(forced !== undefined && { toolChoice: forced }) }
  return {
    request: { ...choice, ...(held && { output: held }) },
    sent: { ...choice, ...(held && { output: true as const }) },
    words: [...(schema && !isHeld ? [wordsFor(schema)] : []), ...(isAgain ? [AGAIN] : [])],
  }
}

function forcedBy(
  choice: ModelParams['toolChoice'],
  tools: readonly { readonly name: string }[],
): ForcedChoice | undefined {
  if (typeof choice === 'object') return tools.some(({ name }) => name === choice.tool) ? choice : undefined
  return choice === 'required' && tools.length > 0 ? choice : undefined
}

const wordsFor = (schema: JsonSchema): AddedText => ({
  id: 'output',
  text: `The answer to this message must be one JSON object, with nothing before or after it, that fits this JSON schema: ${JSON.stringify(schema)}`,
})

/** Says nothing of what was wrong, because that could quote foreign text. */
const AGAIN: AddedText = {
  id: 'output',
  text: 'The first answer to this message was not one JSON object that fits the JSON schema. Give one that does, with nothing before or after it.',
}

/** An answer may be wrong in thousands of places. */
const MISFIT_CHARS = 1000

/** What is wrong with an answer; undefined if it fits, or is none because it calls tools. */
export async function misfitOf(
  parts: readonly AssistantPart[],
  may: boolean,
  schema: JsonSchema | undefined,
  { checkAnswer }: Pick<Deps, 'checkAnswer'>,
): Promise<string | undefined> {
  if (schema === undefined || (may && parts.some((part) => part.type === 'tool_use'))) return undefined
  const answer = readAnswer(textOf(parts)) as JsonObject | undefined
  if (answer === undefined) return 'The answer is not one JSON object, as output.schema wants it.'
  const checked = await checkAnswer(schema, answer)
  if (checked.ok) return undefined
  return `The answer does not fit output.schema: ${checked.message.slice(0, MISFIT_CHARS).toWellFormed()}.`
}
