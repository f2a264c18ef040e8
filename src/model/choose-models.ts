import type { LanguageModelV4 as LanguageModel } from '@ai-sdk/provider'
import { readFileSync } from 'node:fs'
import { Problem } from '../contract/problem.ts'
import { defaultScript } from './scripted/default-script.ts'
import { parseScript, type Script } from './scripted/script.ts'
import { createScriptedModel } from './scripted/scripted-model.ts'

export interface Models {
  /** the one used where nobody asks for another */
  readonly standard: string
  readonly keys: readonly string[]
  /** Throws a Problem for a model nobody knows. */
  get(key: string): LanguageModel
}

export interface ModelChoice {
  readonly model: string | undefined
  /** file of scenarios for the scripted model */
  readonly script: string | undefined
  readonly given: LanguageModel | Script | undefined
}

/** The scripted model is always there; one given in code is used unless a round names another. */
export function chooseModels({ model, script: file, given }: ModelChoice): Models {
  const known = new Map<string, LanguageModel>()
  if (given && isModel(given)) known.set(`${given.provider}:${given.modelId}`, given)
  const script = given && !isModel(given) ? given : file === undefined ? defaultScript : readScript(file)
  known.set('scripted', createScriptedModel(parseScript(script)))
  const keys = [...known.keys()]
  function get(key: string): LanguageModel {
    const found = known.get(key)
    if (found) return found
    throw new Problem('VALIDATION_ERROR', `There is no model ${key}. Known: ${keys.join(', ')}.`, { field: 'model' })
  }
  const standard = model ?? keys[0] ?? 'scripted'
  get(standard)
  return { standard, keys, get }
}

const isModel = (one: LanguageModel | Script): one is LanguageModel => 'doStream' in one

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
