export { asFetch, createEgress, type Egress, type EgressOptions } from './egress.ts'
export { EgressFailed, type EgressFailedCode, EgressRefused } from './errors.ts'
