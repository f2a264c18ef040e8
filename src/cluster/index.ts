export type * from './cluster.ts'
export { createCluster } from './create-cluster.ts'
export { WAKE_SESSIONS } from './create-waker.ts'
export { soleCluster } from './sole-cluster.ts'
