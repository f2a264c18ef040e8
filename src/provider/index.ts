export { providerLoader } from './load-providers.ts'
export { createProviders, type Providers } from './providers.ts'
