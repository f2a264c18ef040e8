import type { Role } from './actor.ts'

/** A key as it is kept and shown: never its secret. */
export interface KeyView {
  readonly id: string
  readonly tenant: string
  /** who asks with this key */
  readonly userId: string
  readonly name: string
  readonly role: Role
  /** if given, the key may do only these of what its role may */
  readonly scopes: readonly string[] | null
  /** may run the installation, whatever its role and scopes are */
  readonly operator: boolean
  readonly createdAt: number
  readonly expiresAt: number | null
  readonly revokedAt: number | null
}

/** A key with the hash of its secret. */
export interface StoredKey extends KeyView {
  readonly hash: string
}
