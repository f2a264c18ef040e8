export type { Facts } from './facts.ts'
export { denies } from './decide.ts'
export { explain, judge } from './judge.ts'
export { joinPolicies, readPolicy } from './read-policy.ts'
