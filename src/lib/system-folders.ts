import { parse } from 'node:path'
import { isInside } from './is-inside.ts'

/** System folders, including everything below them. */
const WHOLE = [
  ...'/bin /boot /dev /etc /lib /lib32 /lib64 /libx32 /proc /run /sbin /sys /usr'.split(' '),
  ...'/var/log /var/run /var/spool /System /Library /private/etc'.split(' '),
  'C:\\Windows',
  'C:\\Program Files',
  'C:\\Program Files (x86)',
]
/** Exceptions, where people keep their own programs. */
const EXCEPT = ['/usr/src', '/usr/local/src']
/** Shared parents: a folder inside may be somebody's, the whole is nobody's. */
const SHARED = [
  ...'/home /media /mnt /opt /root /srv /tmp /var /var/lib /var/tmp'.split(' '),
  ...EXCEPT,
  ...'/Applications /Users /Volumes /private /private/tmp /private/var C:\\Users'.split(' '),
]

export function isSystemFolder(path: string): boolean {
  return WHOLE.some((one) => isInside(one, path)) && !EXCEPT.some((one) => isInside(one, path))
}

/** Whether this real path may not be a workspace, because the system or everybody needs it. */
export function belongsToSystem(path: string): boolean {
  return path === parse(path).root || SHARED.includes(path) || isSystemFolder(path)
}
