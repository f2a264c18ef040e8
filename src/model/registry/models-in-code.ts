import type { LanguageModelV4 as LanguageModel } from '@ai-sdk/provider'
import { readFileSync } from 'node:fs'
import { Problem } from '../../contract/problem.ts'
import { DEFAULTS, type Model, type ModelEntry } from '../model.ts'
import { defaultScript } from '../scripted/default-script.ts'
import { parseScript, type Script } from '../scripted/script.ts'
import { createScriptedModel } from '../scripted/scripted-model.ts'
import { aboutModel } from './known-model.ts'

export const isModel = (one: LanguageModel | Script): one is LanguageModel => 'doStream' in one

/** The scripted model, and a model given in code, which is the default. */
export function modelsInCode(
  given: LanguageModel | Script | undefined,
  file: string | undefined,
  entries: readonly ModelEntry[],
): Model[] {
  const script = given && !isModel(given) ? given : file === undefined ? defaultScript : readScript(file)
  const scripted: Model = {
    key: 'scripted',
    provider: 'scripted',
    modelId: 'scripted',
    window: DEFAULTS.window,
    maxOutput: DEFAULTS.maxOutput,
    prices: { input: 0, output: 0 },
    language: createScriptedModel(parseScript(script)),
  }
  if (!given || !isModel(given)) return [scripted]
  const { provider, modelId } = given
  const key = `${provider}:${modelId}`
  return [{ ...aboutModel(entries, { provider, modelId }), key, provider, modelId, language: given }, scripted]
}

function readScript(file: string): Script {
  try {
    return parseScript(JSON.parse(readFileSync(file, 'utf8')))
  } catch (cause) {
    const why = (cause as Error).message
    throw new Problem('CONFIG_ERROR', `SEGNO_SCRIPT names ${file}, which cannot be used as a script: ${why}.`, {
      cause,
    })
  }
}
