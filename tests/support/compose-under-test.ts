import type { LanguageModelV4 } from '@ai-sdk/provider'
import { expect, onTestFinished } from 'vitest'
import { compose, type Parts } from '../../src/app.ts'
import { defaultScript, type Model, type Script } from '../../src/model/index.ts'
import type { Segno, SegnoOptions } from '../../src/segno.ts'
import { STORE, storeSettings } from './store-under-test.ts'
import { CALL_HEADER, FORMAT_NAMES, PURPOSE_HEADER, type FormatName } from './strict-provider/names.ts'
import type { startStrictProvider, StrictProvider } from './strict-provider/strict-provider.ts'

/** The models that stand for each wire format. */
export const WIRE_MODELS: { readonly [name in FormatName]: string } = {
  anthropic: 'claude-sonnet',
  'openai-chat': 'openai-chat:gpt-4.1',
  openai: 'gpt-5.4',
  deepseek: 'deepseek-reasoner',
}

/** Loading a package takes longer than some tests let a model think. */
const LOAD: { readonly [name in FormatName]: () => Promise<unknown> } = {
  anthropic: () => import('@ai-sdk/anthropic'),
  'openai-chat': () => import('@ai-sdk/openai'),
  openai: () => import('@ai-sdk/openai'),
  deepseek: () => import('@ai-sdk/deepseek'),
}

/** `SEGNO_TEST_WIRE`: the format in which scripted models are called; without it they are called directly. */
export const WIRE = FORMAT_NAMES.find((name) => name === process.env['SEGNO_TEST_WIRE'])

/** Nobody watches the clock in a test. */
const JOBS_EVERY_MS = 100

/** `compose` for tests, in which due work waits for nobody: a script is played by the strict provider and reached through a real provider package. */
export async function composeUnderTest(given: SegnoOptions, its: Parts = {}): Promise<Segno> {
  const parts = { jobsEveryMs: JOBS_EVERY_MS, ...its }
  const options = await onStore(given)
  const script = scriptOf(options)
  if (!WIRE || !script) return compose(options, parts)
  const provider = await strictProvider(script)
  await LOAD[WIRE]()
  const wire = WIRE_MODELS[WIRE]
  return compose(
    { ...options, env: { ...provider.env, ...options.env }, ...(options.model === undefined && { model: script }) },
    {
      ...parts,
      deps(deps) {
        const model = (key: string): Model =>
          key === 'scripted' ? disguised(deps.model(wire), deps.model(key)) : deps.model(key)
        const made = { ...deps, model }
        return parts.deps?.(made) ?? made
      },
    },
  )
}

/** With its data in the store under test; a home that is named in the environment is left alone. */
async function onStore(options: SegnoOptions): Promise<SegnoOptions> {
  const settings = await storeSettings(options.home)
  return STORE === 'sqlite' ? options : { ...options, env: { ...(options.env ?? process.env), ...settings } }
}

/** A strict provider for this test, which fails if it refused anything. */
export async function strictProvider(...given: Parameters<typeof startStrictProvider>): Promise<StrictProvider> {
  const { startStrictProvider } = await import('./strict-provider/strict-provider.ts')
  const provider = await startStrictProvider(...given)
  onTestFinished(async () => {
    await provider.close()
    const refused = provider.requests.flatMap(({ format, faults, body }) =>
      faults.length === 0
        ? []
        : [`${format}: ${faults.map(({ message }) => message).join(' | ')} in ${JSON.stringify(body)}`],
    )
    expect(refused).toEqual([])
  })
  return provider
}

function scriptOf({ model, env }: SegnoOptions): Script | undefined {
  if (model === undefined) return (env?.['SEGNO_SCRIPT'] ?? env?.['SEGNO_MODEL']) ? undefined : defaultScript
  return typeof model === 'object' && !('doStream' in model) ? model : undefined
}

/** A real model under the name and the limits of the scripted one. */
function disguised(real: Model, { key, window, maxOutput, prices }: Model): Model {
  return { ...counting(real), key, window, maxOutput, ...(prices && { prices }) }
}

/** Tells the strict provider which call of its round this is, and what for. */
export function counting({ language, ...model }: Model): Model {
  return { ...model, language: countingCalls(language) }
}

function countingCalls(model: LanguageModelV4): LanguageModelV4 {
  return {
    ...model,
    doStream(options) {
      const { call, purpose } = options.providerOptions?.['segno'] ?? {}
      const told = { [CALL_HEADER]: JSON.stringify(call), ...(purpose && { [PURPOSE_HEADER]: purpose as string }) }
      return model.doStream({ ...options, headers: { ...options.headers, ...told } })
    },
  }
}
