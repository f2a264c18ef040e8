export { keyFile } from './key-file.ts'
export { createSecrets, type Secrets } from './secrets.ts'
