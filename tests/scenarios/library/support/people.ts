import type { Actor } from '../../../../src/contract/actor.ts'

export const person = (id: string, tenant = 'local'): Actor => ({ id, kind: 'user', tenant, permissions: ['*'] })
