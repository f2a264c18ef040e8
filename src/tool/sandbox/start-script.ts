import { BASH, quote } from './quote.ts'

export interface StartOptions {
  /** the process that must outlive the command */
  readonly parent: number
  /** the user the command becomes when Segno is root */
  readonly user?: { readonly uid: number; readonly gid: number }
  /** the real path of the folder: where the script finds itself elsewhere, somebody swapped it, and nothing starts */
  readonly folder: string
  /** as root: what root wrote in the folder becomes the user's */
  readonly give?: boolean
  /** as root: a place where any user can reach the folder, whatever stands above it */
  readonly bindAt?: string
  /** where it says that it belongs to the group of this command */
  readonly members?: string
  /** what to become in the end */
  readonly exec: readonly string[]
}

/**
 * The way from Segno to the sandbox, one process all along: give the folder to the user the command will be, become
 * that user, die with Segno, and have a pipe for the output (what Node hands out is a socket, which /dev/stdout cannot
 * open). Its working folder is the workspace, and stays so: nobody has to find the way there again.
 */
export function startScript({ parent, user, folder, give = false, bindAt, members, exec }: StartOptions): string {
  const join = members === undefined ? '' : `echo $$ >${quote(members)} || exit 1\n`
  const dieTogether = ['setpriv', '--pdeathsig', 'KILL']
  const asUser = user === undefined ? [] : [`--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups']
  const last = words([...BASH, lastSteps(parent, exec)])
  const become = `exec ${words([...dieTogether, ...asUser])} ${last}`
  const start = `${join}[ "$(pwd -P)" = ${quote(folder)} ] || { echo "its folder is no longer where it was" >&2; exit 1; }`
  if (user === undefined) return `${start}\n${become}`
  // Only what root wrote, such as files of other tools; links are never followed.
  const given = give ? `\nchown -RhP --from=0 ${user.uid}:${user.gid} . 2>/dev/null || :` : ''
  if (bindAt === undefined) return `${start}${given}\n${become}`
  const bound = `mount --no-canonicalize --bind . ${quote(bindAt)} && ${become}`
  return `${start}${given}\nexec ${words(['unshare', '--mount', '--propagation', 'private', ...BASH, bound])}`
}

/**
 * The kernel kills a child of a dead parent only if it was asked to while the parent lived, and between a fork and that
 * request there is time to die. So a guard stays outside the sandbox and listens to stdin, which is a line to Segno:
 * when it goes dead, it kills the group, and with it the first process in the sandbox.
 */
function lastSteps(parent: number, exec: readonly string[]): string {
  return `[ "$PPID" = ${parent} ] || exit 1
umask 022
for fd in /proc/self/fd/*; do
  fd=\${fd##*/}
  [ "$fd" -le 2 ] || exec {fd}>&-
done
exec 3<&0 </dev/null
{ read -r -u 3 _; kill -KILL 0; } >/dev/null 2>&1 &
exec 3<&-
exec > >(exec setsid cat 2>/dev/null)
exec ${words(exec)}`
}

function words(list: readonly string[]): string {
  return list.map(quote).join(' ')
}
