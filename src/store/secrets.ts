import type { AuditRecord } from '../contract/audit.ts'
import type { ProviderRecord } from '../contract/provider.ts'

/** Secrets, which a store has only encrypted, and the providers set over HTTP, whose keys are among them. */
export interface SecretStore {
  secret(tenant: string, name: string): Promise<EncryptedSecret | undefined>
  /** All of all tenants, by tenant and name. */
  secrets(): Promise<EncryptedSecret[]>
  /** The id of the key that secrets are encrypted with, undefined while there is none. */
  secretKey(): Promise<string | undefined>
  /** Makes this key the one that secrets are encrypted with unless there are secrets; returns the one that is. */
  claimSecretKey(keyId: string): Promise<string>
  /** Stores a secret; false, and nothing is stored, if it is not encrypted with `secretKey`. */
  putSecret(secret: EncryptedSecret, audit?: readonly AuditRecord[]): Promise<boolean>
  /** False if there is none. */
  removeSecret(tenant: string, name: string, audit?: readonly AuditRecord[]): Promise<boolean>
  /**
   * Replaces secrets that are still as they were by the same ones under another key, which new ones are encrypted with from
   * then on; false, and nothing changes, if a secret under an earlier key would be left.
   */
  reencryptSecrets(keyId: string, reencrypted: readonly Reencrypted[], audit?: readonly AuditRecord[]): Promise<boolean>

  /** By name. */
  providers(): Promise<ProviderRecord[]>
  /** Stores a provider with its secret, or without one; false, and nothing is stored, as with `putSecret`. */
  putProvider(
    provider: ProviderRecord,
    secret: EncryptedSecret | undefined,
    audit?: readonly AuditRecord[],
  ): Promise<boolean>
  /** Removes a provider with its secret; false if there is none. */
  removeProvider(name: string, audit?: readonly AuditRecord[]): Promise<boolean>
}

/** A secret that only a holder of the key can read, and only under this tenant and name. */
export interface EncryptedSecret {
  /** empty for a secret of the installation */
  readonly tenant: string
  readonly name: string
  readonly keyId: string
  /** base64 */
  readonly encrypted: string
  readonly updatedAt: number
}

export interface Reencrypted {
  readonly before: EncryptedSecret
  readonly after: EncryptedSecret
}

/** The secrets of the installation, which belong to no tenant. */
export const INSTALLATION = ''

/** What the secret of a provider is called. */
export const providerSecret = (provider: string): string => `provider ${provider}`
