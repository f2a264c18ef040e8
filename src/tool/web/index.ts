export { KNOWN_HOSTS } from './known-hosts.ts'
export { webFetch, WEB_LIMITS, type WebFetchOptions, type WebLimits } from './web-fetch.ts'
