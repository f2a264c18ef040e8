import { expect, test } from 'vitest'
import { looksSecret } from './secret-name.ts'

test.each([
  '.env',
  '.env.local',
  '.envrc',
  '.env-staging',
  'prod.env',
  'app/.env.production',
  '.ENV',
  'deploy\\.env',
  '.netrc',
  '_config/.npmrc',
  '.pgpass',
  '.git-credentials',
  'id_rsa',
  '.ssh/id_ed25519',
  'id_ed25519.old',
  '.ssh/config',
  '.aws/credentials',
  'home/.kube/config',
  'secrets/anything.txt',
  'a/secrets/b/c',
  'server.pem',
  'tls/private.KEY',
  'store.p12',
  'passwords.txt',
  'my-password.json',
  'api_token',
  'token.txt',
  'client_secret.json',
  'credentials.yml',
])('%s may hold a secret', (path) => {
  expect(looksSecret(path)).toBe(true)
})

test.each([
  'README.md',
  'src/environment.ts',
  'env.ts',
  'keys.ts',
  'monkey.txt',
  'key',
  'src/tokenizer.ts',
  'secretary.md',
  'docs/passwordless.md',
  'id_card.png',
  'ssh/notes.md',
  '',
])('%j is a file like any other', (path) => {
  expect(looksSecret(path)).toBe(false)
})
