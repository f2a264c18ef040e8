export { createKeys, type Admitted, type Keys, type NewKey } from './keys.ts'
export { createRate, type Rate } from './rate.ts'
export { PERMISSIONS, permissionsOf } from './roles.ts'
