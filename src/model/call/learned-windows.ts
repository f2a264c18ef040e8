import type { Clock } from '../../lib/clock.ts'
import type { Model } from '../model.ts'

export type LearnedWindows = ReturnType<typeof createLearnedWindows>

type Named = Pick<Model, 'provider' | 'modelId' | 'window'>

/** No model that is of any use sees less. */
export const LEAST_LEARNED = 4000
/** Of a window that turned out to be small, an answer gets no more than this. */
const ANSWER_SHARE = 0.5
/** Clients make up model names, so only so many are kept. */
const MOST_MODELS = 1000

/** Windows that turned out to be smaller than the registry says, kept for a while. */
export function createLearnedWindows({ keepMs }: { keepMs: number }, clock: Clock) {
  const known = new Map<string, { readonly window: number; readonly until: number }>()
  const keyOf = ({ provider, modelId }: Named): string => `${provider}:${modelId}`

  /** The window that was learned; undefined if the registry's holds. */
  function of(model: Named): number | undefined {
    const found = known.get(keyOf(model))
    return found && found.until > clock.now() && found.window < model.window ? found.window : undefined
  }

  return {
    of,
    learn(model: Named, window: number): void {
      const key = keyOf(model)
      known.delete(key)
      known.set(key, { window: Math.max(LEAST_LEARNED, Math.floor(window)), until: clock.now() + keepMs })
      const [oldest = ''] = known.keys()
      if (known.size > MOST_MODELS) known.delete(oldest)
    },
    /** The model with what is known of its window now. */
    fit<Sized extends Named & Pick<Model, 'maxOutput'>>(model: Sized): Sized {
      const window = of(model)
      if (window === undefined) return model
      return { ...model, window, maxOutput: Math.min(model.maxOutput, Math.floor(window * ANSWER_SHARE)) }
    },
  }
}
