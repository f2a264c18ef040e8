import { DEVICES, DEVICE_LINKS, OWN_FILES, type Inside, type Layout } from './layout.ts'
import { limitScript } from './limit-script.ts'
import { BASH, quote } from './quote.ts'
import type { SandboxLimits } from './sandbox.ts'
import { filtered } from './seccomp.ts'

/** Where the new root is built, because every Linux has this folder and no command needs it. */
const ROOT = '/sys'

const READ_ONLY = 'ro,nosuid,nodev'
const ALONE = ['--user', '--map-root-user', '--mount', '--pid', '--net', '--ipc', '--uts', '--cgroup']
/** Makes many links with one process. */
const LINK_ALL = 'symlink shift, shift or die "$!\\n" while @ARGV'
const NOBODY = ['unshare', '--user', '--map-user=1000', '--map-group=1000', '--keep-caps']
const POWERLESS = ['setpriv', '--no-new-privs', '--bounding-set=-all', '--inh-caps=-all', '--ambient-caps=-all', '--']

/**
 * A sandbox made with util-linux: `unshare` starts a process that is root only in its own namespaces. It builds a new
 * root, removes the old one, and runs the command without rights in another user namespace. As it is process 1, all
 * others end when it ends, or when the `unshare` outside does.
 */
export function namespaces({ layout, limits, timeoutMs, command, filter }: Inside): string[] {
  const script = [
    'set -eu',
    ...build(layout),
    ...lockOut(),
    ...seal(layout, limits),
    'cd /workspace',
    'set +e',
    limitScript(limits, timeoutMs, [...NOBODY, ...POWERLESS, ...filtered(filter)]),
    'exit $?',
  ]
  return ['unshare', ...ALONE, '--fork', '--kill-child=KILL', ...BASH, script.join('\n'), 'sandbox', command]
}

function build(layout: Layout): string[] {
  const folders = [...layout.folders, '/workspace', '/proc', '/tmp']
  const files = [...layout.files, ...DEVICES]
  const links = Object.entries({ ...layout.links, ...DEVICE_LINKS })
  const parents = [...files, ...Object.keys(OWN_FILES), ...Object.keys(layout.links)].map(parentOf)
  return [
    `mount -t tmpfs -o mode=755,size=1m,nosuid,nodev sandbox ${ROOT}`,
    `mkdir -p ${inRoot([...new Set([...folders, ...parents])])}`,
    `for file in ${inRoot(files)}; do : >"$file"; done`,
    ...Object.entries(OWN_FILES).map(([path, text]) => `printf %s ${quote(text)} >${inRoot([path])}`),
    `perl -e ${quote(LINK_ALL)} ${links.map(([path, to]) => `${quote(to)} ${inRoot([path])}`).join(' ')}`,
    `mount -t proc -o nosuid,nodev,noexec proc ${ROOT}/proc`,
    // Allows one more user namespace, for the command.
    `echo 1 >${ROOT}/proc/sys/user/max_user_namespaces`,
    'hostname sandbox 2>/dev/null || :',
    // Mounts everything with one process.
    `printf %s ${quote(fstab(layout))} >${ROOT}/etc/fstab`,
    `mount --all --fstab ${ROOT}/etc/fstab`,
    `mount --no-canonicalize --rbind . ${inRoot(['/workspace'])}`,
  ]
}

function fstab(layout: Layout): string {
  const system = [...layout.folders, ...layout.files].map((path) => ({ path, options: `rbind,${READ_ONLY}` }))
  const devices = DEVICES.map((path) => ({ path, options: 'bind,ro,nosuid,noexec' }))
  const lines = [...system, ...devices].map(({ path, options }) => `${path} ${ROOT}${path} none ${options}`)
  const proc = layout.proc.map((path) => `${ROOT}${path} ${ROOT}${path} none bind,noexec,${READ_ONLY}`)
  return [...lines, ...proc, ''].join('\n')
}

function lockOut(): string[] {
  return [`cd ${ROOT}`, 'pivot_root . tmp', 'cd /', 'umount -l /tmp']
}

function seal(layout: Layout, limits: SandboxLimits): string[] {
  return [
    // Includes mounts below another mount.
    `mapfile -t mounts </proc/self/mountinfo
for mount in "\${mounts[@]}"; do
  read -r _ _ _ _ point options _ <<<"$mount"
  printf -v point %b "$point"
  case "$point $options" in
    '/proc '* | *' ${READ_ONLY},'* | '/dev/'*' ro,nosuid,noexec,'*) ;;
    '/workspace '* | '/workspace/'*) mount -o remount,bind,nosuid,nodev "$point" ;;
    *) mount -o remount,bind,${READ_ONLY} "$point" ;;
  esac
done`,
    ...layout.covered.map((path) => `mount -t tmpfs -o ${READ_ONLY},mode=755,size=4k sandbox ${quote(path)}`),
    `mount -t tmpfs -o mode=1777,size=${limits.tmpBytes},nr_inodes=20k,nosuid,nodev sandbox /tmp`,
  ]
}

const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/')) || '/'
const inRoot = (paths: readonly string[]): string => paths.map((path) => quote(`${ROOT}${path}`)).join(' ')
