import type { LanguageModelV4 } from '@ai-sdk/provider'
import { STREAMS_ONLY } from '../model.ts'
import { answerTo } from './answer-purpose.ts'
import { matchesWhen } from './match-when.ts'
import { partStream } from './part-stream.ts'
import { readPrompt } from './read-prompt.ts'
import { compileWhen, type Scenario, type Script, type ScriptedTurn } from './script.ts'
import { errorOf } from './scripted-error.ts'
import { sentParams } from './sent-params.ts'
import { streamParts } from './stream-parts.ts'

const ECHO: ScriptedTurn = { text: 'Echo: {{message}}' }
const EMPTY: ScriptedTurn = {}
/** Says the message and nothing else. */
const REPEAT: ScriptedTurn = { text: '{{message}}' }

/**
 * A provider that plays a script, whatever tools it was offered, so that callers can be tested against a disobedient
 * model.
 */
export function createScriptedModel(script: Script): LanguageModelV4 {
  const scenarios = (script.scenarios ?? []).map((scenario) => ({ scenario, pattern: compileWhen(scenario.when) }))
  const otherwise = script.otherwise ?? ECHO

  return {
    ...STREAMS_ONLY,
    provider: 'scripted',
    modelId: 'scripted',
    async doStream(options) {
      options.abortSignal?.throwIfAborted()
      const { message, call, purpose } = readPrompt(options)
      const found = scenarios.find(
        ({ scenario, pattern }) => scenario.purpose === purpose && matchesWhen(pattern, message),
      )
      const turn = found ? nthTurn(found.scenario, call) : purpose ? REPEAT : otherwise
      refuseIfFaulty(turn)
      const said = !found && purpose ? answerTo(purpose, message) : message
      const sequence = streamParts(turn, { message: said, params: sentParams(options) }, options.prompt)
      return { stream: partStream(sequence, turn.delayMs ?? 0, options.abortSignal) }
    },
  }
}

function nthTurn({ turns, repeat }: Scenario, n: number): ScriptedTurn {
  return turns[n - 1] ?? (repeat ? turns.at(-1) : undefined) ?? EMPTY
}

function refuseIfFaulty({ fault }: ScriptedTurn): void {
  if (fault?.afterDeltas !== undefined) return
  if (fault?.kind === 'error' || fault?.kind === 'overloaded') throw errorOf(fault)
}
