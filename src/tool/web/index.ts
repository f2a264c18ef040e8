export { KNOWN_HOSTS } from './known-hosts.ts'
export { webFetch } from './web-fetch.ts'
