import { refresh } from '../../state/polled.ts'

export const PROVIDERS = '/api/providers'

/** A change of a provider changes which models can be used. */
export function readProviders(): void {
  refresh(PROVIDERS)
  refresh('/api/models')
}
