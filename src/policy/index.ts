export type { Estimate, Facts } from './facts.ts'
export { judge, RULES, type Rule } from './judge.ts'
