import type { Problem } from '../../contract/problem.ts'
import { lazyModel } from '../providers/lazy-model.ts'
import { USUAL, type Model } from '../model.ts'

/** Stands for a model that could be used when its round began and cannot any more: every call says so. */
export function unusableModel(key: string, problem: Problem): Model {
  return {
    ...USUAL,
    key,
    provider: key,
    modelId: key,
    // It says nothing but why it cannot be used, whatever its user may spend.
    prices: { input: 0, output: 0 },
    language: lazyModel(key, key, () => Promise.reject(problem)),
  }
}
