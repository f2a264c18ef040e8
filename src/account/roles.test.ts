import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { LOCAL_OWNER, may, mayUseTool, ROLES } from '../contract/actor.ts'
import { commonPermissions, isCoveredBy, PERMISSIONS, permissionsOf } from './roles.ts'

/** Things somebody may want to do, one by one; `use:` is the use of a tool as the gate judges it. */
const DEEDS = [
  'chat:read',
  'chat:write',
  'memory:read',
  'knowledge:read',
  'knowledge:write',
  'knowledge:review',
  'prompt:read',
  'prompt:review',
  'tool:manage',
  'workflow:manage',
  'user:manage',
  'role:assign',
  'audit:read',
  'trace:read',
  'use:calculator',
  'use:read_file',
]

function can(permissions: readonly string[], deed: string): boolean {
  if (!deed.startsWith('use:')) return may({ permissions }, deed)
  return ['*', 'tool:*', 'tool:invoke', `tool:${deed.slice(4)}`].some((one) => permissions.includes(one))
}

const deeds = (permissions: readonly string[]): string[] => DEEDS.filter((deed) => can(permissions, deed))

const scope = fc.constantFrom(
  '*',
  'chat:*',
  'chat:read',
  'chat:write',
  'memory:*',
  'knowledge:*',
  'knowledge:read',
  'knowledge:review',
  'prompt:*',
  'tool:*',
  'tool:invoke',
  'tool:manage',
  'tool:calculator',
  'workflow:manage',
  'user:*',
  'user:manage',
  'role:*',
  'role:assign',
  'audit:read',
  'audit:*',
  'trace:read',
)
const scopes = fc.array(scope, { maxLength: 4 })
const role = fc.constantFrom(...ROLES)

describe('a role', () => {
  test('of a user lets talk and use tools, and manages nothing', () => {
    expect(deeds(PERMISSIONS.user)).toEqual([
      'chat:read',
      'chat:write',
      'memory:read',
      'knowledge:read',
      'prompt:read',
      'use:calculator',
      'use:read_file',
    ])
  })

  test('of an auditor reads records and cannot talk', () => {
    expect(deeds(PERMISSIONS.auditor)).toEqual(['audit:read', 'trace:read'])
  })

  test('of an admin manages people and tools, and gives no roles away', () => {
    expect(deeds(PERMISSIONS.admin).filter((deed) => deed.endsWith(':manage'))).toEqual([
      'tool:manage',
      'workflow:manage',
      'user:manage',
    ])
    expect(ROLES.filter((one) => can(PERMISSIONS[one], 'role:assign'))).toEqual(['super_admin'])
  })

  test('of a super admin may do everything', () => {
    expect(deeds(PERMISSIONS.super_admin)).toEqual(DEEDS)
  })

  test('of an editor or a reviewer adds to what a user may', () => {
    for (const one of ['editor', 'reviewer', 'admin'] as const)
      expect(deeds(PERMISSIONS[one])).toEqual(expect.arrayContaining(deeds(PERMISSIONS.user)))
  })
})

describe('scopes', () => {
  test.each([
    ['user', null, PERMISSIONS.user],
    ['user', [], []],
    ['user', ['*'], PERMISSIONS.user],
    ['user', ['chat:read'], ['chat:read']],
    ['user', ['chat:*', 'chat:read'], ['chat:*', 'chat:read']],
    ['user', ['audit:read'], []],
    ['user', ['knowledge:*'], ['knowledge:read']],
    ['user', ['tool:calculator'], ['tool:calculator']],
    ['user', ['tool:*'], ['tool:invoke']],
    ['user', ['tool:manage'], []],
    ['user', ['role:assign', 'user:manage'], []],
    ['admin', ['tool:*'], ['tool:invoke', 'tool:manage']],
    ['admin', ['tool:invoke'], ['tool:invoke']],
    ['admin', ['user:manage'], ['user:manage']],
    ['admin', ['role:assign'], []],
    ['auditor', ['chat:*'], []],
    ['super_admin', ['tool:calculator'], ['tool:calculator']],
    ['super_admin', ['*'], ['*']],
    ['super_admin', ['user:*', 'chat:read'], ['user:*', 'chat:read']],
  ] as const)('of %s narrowed to %j leave what both allow', (one, narrow, left) => {
    expect(permissionsOf(one, narrow)).toEqual(left)
  })

  test('leave exactly what the role and the scopes both allow', () => {
    fc.assert(
      fc.property(role, scopes, (one, narrow) => {
        const both = DEEDS.filter((deed) => can(PERMISSIONS[one], deed) && can(narrow, deed))
        expect(deeds(permissionsOf(one, narrow))).toEqual(both)
      }),
    )
  })
})

describe('operator', () => {
  const anything = fc.array(fc.oneof(scope, fc.constantFrom('operator:*', 'operator:x', 'op:*')), { maxLength: 6 })
  test('is held by no other permission, no role and no scope', () => {
    fc.assert(
      fc.property(role, fc.option(anything), anything, (one, narrow, all) => {
        for (const held of [permissionsOf(one, narrow), all]) {
          expect(may({ permissions: held }, 'operator')).toBe(false)
          expect(isCoveredBy(['operator'], held)).toBe(false)
        }
      }),
    )
  })

  test('is what a key was given besides, however narrow it is', () => {
    fc.assert(
      fc.property(role, fc.option(scopes), (one, narrow) => {
        const without = permissionsOf(one, narrow)
        expect(permissionsOf(one, narrow, true)).toEqual([...without, 'operator'])
        expect(isCoveredBy(permissionsOf(one, narrow, true), [...without, 'operator'])).toBe(true)
      }),
    )
    expect(deeds(['operator'])).toEqual([])
  })

  test('is a right of the owner of the machine', () => {
    expect(may(LOCAL_OWNER, 'operator')).toBe(true)
    expect(deeds(LOCAL_OWNER.permissions)).toEqual(DEEDS)
  })
})

test('what somebody may, may use and may give away agree', () => {
  fc.assert(
    fc.property(role, fc.option(scopes), fc.boolean(), (one, narrow, operator) => {
      const permissions = permissionsOf(one, narrow, operator)
      for (const deed of [...DEEDS, 'operator']) {
        const tool = deed.startsWith('use:') ? deed.slice(4) : undefined
        const is = tool === undefined ? may({ permissions }, deed) : mayUseTool(permissions, tool)
        expect([deed, is]).toEqual([deed, can(permissions, deed)])
        expect([deed, isCoveredBy([tool === undefined ? deed : `tool:${tool}`], permissions)]).toEqual([deed, is])
      }
      expect(mayUseTool(permissions)).toBe(isCoveredBy(['tool:invoke'], permissions))
    }),
  )
})

describe('isCoveredBy', () => {
  test.each([
    [['chat:read'], ['chat:*'], true],
    [['chat:*'], ['chat:read', 'chat:write'], false],
    [['tool:calculator'], ['tool:invoke'], true],
    [['tool:invoke'], ['tool:calculator'], false],
    [['tool:manage'], ['tool:invoke'], false],
    [['tool:*'], ['tool:invoke'], false],
    [['tool:*'], ['tool:invoke', 'tool:manage'], false],
    [['*'], ['chat:*', 'user:*'], false],
    [['chatter:read'], ['chat:*'], false],
    [['chat:read'], [], false],
    [[], [], true],
  ])('%j is within %j: %s', (these, those, is) => {
    expect(isCoveredBy(these, those)).toBe(is)
  })

  test('says yes only where everything the first may the second may too', () => {
    fc.assert(
      fc.property(role, scopes, role, scopes, (a, aScopes, b, bScopes) => {
        const these = permissionsOf(a, aScopes)
        const those = permissionsOf(b, bScopes)
        if (isCoveredBy(these, those)) expect(deeds(those)).toEqual(expect.arrayContaining(deeds(these)))
      }),
    )
  })

  test('says yes to everything a role may, narrowed or not', () => {
    fc.assert(
      fc.property(role, scopes, (one, narrow) => {
        expect(isCoveredBy(permissionsOf(one, narrow), PERMISSIONS[one])).toBe(true)
      }),
    )
  })
})

test('what two lists have in common allows exactly what both allow', () => {
  const list = fc.array(fc.oneof(scope, fc.constant('operator')), { maxLength: 6 })
  fc.assert(
    fc.property(list, list, (these, those) => {
      const common = commonPermissions(these, those)
      expect(deeds(common)).toEqual(deeds(these).filter((deed) => can(those, deed)))
      expect(common.includes('operator')).toBe(these.includes('operator') && those.includes('operator'))
      expect([isCoveredBy(common, these), isCoveredBy(common, those)]).toEqual([true, true])
    }),
    { numRuns: 500 },
  )
})
