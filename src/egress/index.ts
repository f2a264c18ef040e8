export { asFetch } from './as-fetch.ts'
export { createEgress, type Egress, type EgressInit, type EgressOptions } from './egress.ts'
export { EgressFailed, type EgressFailedCode, EgressRefused, type EgressRefusedCode } from './errors.ts'
