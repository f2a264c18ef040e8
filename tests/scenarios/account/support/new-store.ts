import { onTestFinished } from 'vitest'
import type { Store } from '../../../../src/store/index.ts'
import { openStoreOf } from '../../../support/store-under-test.ts'
import { newHome } from './cli.ts'

/** An empty store, closed when the test ends. */
export async function newStore(): Promise<Store> {
  const store = await openStoreOf(newHome())
  onTestFinished(() => store.close())
  return store
}
