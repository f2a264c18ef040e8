import { Problem } from '../contract/problem.ts'
import { unusableModel, type Model } from '../model/index.ts'
import type { Hands } from './hands.ts'

/** The model of a round or session. One that cannot be used any more says so when it is called. */
export function modelNamed(key: string, hands: Pick<Hands, 'model'>): Model {
  return lookUp(key, hands, (why) => unusableModel(key, why))
}

export function usableModel(key: string, hands: Pick<Hands, 'model'>): Model | undefined {
  return lookUp(key, hands, () => undefined)
}

function lookUp<Other>(key: string, hands: Pick<Hands, 'model'>, otherwise: (why: Problem) => Other): Model | Other {
  try {
    return hands.model(key)
  } catch (error) {
    if (error instanceof Problem) return otherwise(error)
    throw error
  }
}
