export type { Estimate, Facts, FieldFacts } from './facts.ts'
export { explain, type Explanation } from './explain.ts'
export { judge, RULES, type Rule } from './judge.ts'
export { joinPolicies, readPolicy } from './read-policy.ts'
