import type { Problem } from '../../contract/problem.ts'
import { lazyModel } from '../providers/lazy-model.ts'
import { DEFAULTS, type Model } from '../model.ts'

/** Stands for a model that has become unusable since its round began; every call fails with the reason. */
export function unusableModel(key: string, problem: Problem): Model {
  return {
    ...DEFAULTS,
    key,
    provider: key,
    modelId: key,
    // Free, so that the reason is shown whatever the budget.
    prices: { input: 0, output: 0 },
    language: lazyModel(key, key, () => Promise.reject(problem)),
  }
}
