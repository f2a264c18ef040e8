export { createBudgets, type Budgets, type BudgetLimits, type BudgetView } from './budgets.ts'
export { createKeys, type Admitted, type Keys, type NewKey } from './keys.ts'
export { createRate, type Rate } from './rate.ts'
export { permissionsOf } from './roles.ts'
