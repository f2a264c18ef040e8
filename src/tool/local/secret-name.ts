/** Usual names of files with keys and passwords. */
const NAMES = [
  /^\.env(rc|[._-].+)?$/,
  /\.env$/,
  /^\.?(netrc|pgpass|npmrc|pypirc|htpasswd|git-credentials|dockercfg)$/,
  /^id_(rsa|dsa|ecdsa|ed25519)/,
  /\.(pem|key|p12|pfx|jks|keystore|kdbx|ppk|asc|gpg)$/,
  /(^|[._-])(secret|secrets|credential|credentials|password|passwords|token|tokens)([._-]|$)/,
]
const FOLDERS = new Set(['.ssh', '.aws', '.gnupg', '.kube', '.docker', '.azure', '.gcloud', 'secrets'])

/** Whether a path looks like a file with secrets. */
export function looksSecret(path: string): boolean {
  const parts = path.toLowerCase().split(/[\\/]/)
  const name = parts.at(-1) ?? ''
  return parts.slice(0, -1).some((part) => FOLDERS.has(part)) || NAMES.some((pattern) => pattern.test(name))
}
