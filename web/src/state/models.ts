import type { ListedModel, Page } from '../../../src/client/index.ts'
import { usePolled } from './polled.ts'

/** All models, also those that cannot be used; none until the server has said them. */
export const useModels = (): readonly ListedModel[] =>
  usePolled<Page<ListedModel>>('/api/models', 30_000).value?.items ?? []
