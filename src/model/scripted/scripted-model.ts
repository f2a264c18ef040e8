import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4StreamResult } from '@ai-sdk/provider'
import { generate } from '../generate.ts'
import { matchesWhen } from './match-when.ts'
import { partStream } from './part-stream.ts'
import { readPrompt } from './read-prompt.ts'
import { compileWhen } from './script.ts'
import type { Scenario, Script, ScriptedTurn } from './script.ts'
import { errorOf, ScriptedError } from './scripted-error.ts'
import { streamParts } from './stream-parts.ts'

const ECHO: ScriptedTurn = { text: 'Echo: {{message}}' }
const EMPTY: ScriptedTurn = {}

/**
 * A provider that plays a script. It plays a turn as written whatever tools it was offered, so that callers can be
 * tested against a model that does not do as it is told.
 */
export function createScriptedModel(script: Script): LanguageModelV4 {
  const scenarios = (script.scenarios ?? []).map((scenario) => ({ scenario, pattern: compileWhen(scenario.when) }))
  const otherwise = script.otherwise ?? ECHO

  function turnFor(message: string, call: number): ScriptedTurn {
    const found = scenarios.find(({ pattern }) => matchesWhen(pattern, message))
    return found ? nthTurn(found.scenario, call) : otherwise
  }

  async function doStream(options: LanguageModelV4CallOptions): Promise<LanguageModelV4StreamResult> {
    options.abortSignal?.throwIfAborted()
    const { message, call } = readPrompt(options)
    const turn = turnFor(message, call)
    refuseIfFaulty(turn)
    const sequence = streamParts(turn, message, options.prompt)
    return { stream: partStream(sequence, turn.delayMs ?? 0, options.abortSignal) }
  }

  return {
    specificationVersion: 'v4',
    provider: 'scripted',
    modelId: 'scripted',
    supportedUrls: {},
    doStream,
    doGenerate: async (options) => generate(await doStream(options), new ScriptedError('The script cuts the answer')),
  }
}

function nthTurn({ turns, repeat }: Scenario, n: number): ScriptedTurn {
  return turns[n - 1] ?? (repeat ? turns.at(-1) : undefined) ?? EMPTY
}

function refuseIfFaulty({ fault }: ScriptedTurn): void {
  if (fault?.afterDeltas !== undefined) return
  if (fault?.kind === 'error' || fault?.kind === 'overloaded') throw errorOf(fault)
}
