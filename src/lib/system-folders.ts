import { parse } from 'node:path'
import { isInside } from './is-inside.ts'

/** Neither these nor anything below: what a system runs on. */
const WHOLE = [
  ...'/bin /boot /dev /etc /lib /lib32 /lib64 /libx32 /proc /run /sbin /sys /usr'.split(' '),
  ...'/var/log /var/run /var/spool /System /Library /private/etc'.split(' '),
  'C:\\Windows',
  'C:\\Program Files',
  'C:\\Program Files (x86)',
]
/** Below one of those, and yet where people keep programs of their own. */
const EXCEPT = ['/usr/src', '/usr/local/src']
/** Where many things of many people lie: a folder inside may be somebody's, the whole is nobody's. */
const SHARED = [
  ...'/home /media /mnt /opt /root /srv /tmp /var /var/lib /var/tmp'.split(' '),
  ...EXCEPT,
  ...'/Applications /Users /Volumes /private /private/tmp /private/var C:\\Users'.split(' '),
]

/** Is everything here the system's, whatever lies below? */
export function isSystemFolder(path: string): boolean {
  return WHOLE.some((one) => isInside(one, path)) && !EXCEPT.some((one) => isInside(one, path))
}

/** May this real path be nobody's workspace, because the system or everybody needs it? */
export function belongsToSystem(path: string): boolean {
  return path === parse(path).root || SHARED.includes(path) || isSystemFolder(path)
}
