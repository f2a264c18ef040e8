import { DEVICES, DEVICE_LINKS, OWN_FILES, type Inside } from './layout.ts'
import { limitScript } from './limit-script.ts'
import { BASH, quote } from './quote.ts'

/**
 * The same sandbox as `namespaces`, made by bubblewrap. Its first process gets no new session, so that it stays in the
 * group that is killed. `source` is where its user reaches the workspace, and the identity expected there.
 */
export function bubblewrap(
  { layout, limits, timeoutMs, command, filter }: Inside,
  source: { readonly path: string; readonly identity: string },
): string[] {
  const owned = Object.entries(OWN_FILES).map(([path, text], index) => ({ path, text, fd: String(index + 10) }))
  const links = Object.entries({ ...layout.links, ...DEVICE_LINKS })
  const who = '--unshare-all --unshare-user --disable-userns --die-with-parent --uid 1000 --gid 1000'
  const args = [
    ...`${who} --cap-drop ALL --hostname sandbox`.split(' '),
    ...[...layout.folders, ...layout.files].flatMap((path) => ['--ro-bind', path, path]),
    ...layout.covered.flatMap((path) => ['--tmpfs', path, '--remount-ro', path]),
    ...owned.flatMap(({ path, fd }) => ['--ro-bind-data', fd, path]),
    ...DEVICES.flatMap((path) => ['--dev-bind', path, path]),
    ...links.flatMap(([path, to]) => ['--symlink', to, path]),
    ...`--proc /proc --size ${limits.tmpBytes} --tmpfs /tmp`.split(' '),
    '--bind',
    source.path,
    ...'/workspace --chdir /workspace --remount-ro / --seccomp 9'.split(' '),
  ]
  const check = `[ "$(stat -c %d:%i .)" = ${source.identity} ] || { echo "its folder is another one now" >&2; exit 1; }`
  const inner = [...BASH, `${check}\n${limitScript(limits, timeoutMs)}`, 'sandbox', command]
  const documents = owned.map(({ text, fd }) => `${fd}<<<${quote(text.trimEnd())}`)
  const run = `exec bwrap ${[...args, ...inner].map(quote).join(' ')} ${documents.join(' ')}`
  return [...BASH, `exec 9< <(base64 -d <<<${filter.toString('base64')})\n${run}`]
}
