import { quote } from './quote.ts'

export interface StartOptions {
  /** the process that must outlive the command */
  readonly parent: number
  /** the user the command becomes when Segno is root */
  readonly user?: { readonly uid: number; readonly gid: number }
  /** as root: a place where any user can reach the folder, whatever stands above it */
  readonly bindAt?: string
  /** what to become in the end */
  readonly exec: readonly string[]
}

/**
 * The way from Segno to the sandbox, one process all along: give the folder to the user the command will be, become
 * that user, die with Segno, and have a pipe for the output (what Node hands out is a socket, which /dev/stdout cannot
 * open). Its working folder is the workspace, and stays so: nobody has to find the way there again.
 */
export function startScript({ parent, user, bindAt, exec }: StartOptions): string {
  const dieTogether = ['setpriv', '--pdeathsig', 'KILL']
  const asUser = user === undefined ? [] : [`--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups']
  const last = words(['bash', '-c', lastSteps(parent, exec)])
  const become = `exec ${words([...dieTogether, ...asUser])} ${last}`
  if (user === undefined) return become
  // Only what root wrote, such as files of other tools; links are never followed.
  const give = `chown -RhP --from=0 ${user.uid}:${user.gid} . 2>/dev/null || :`
  if (bindAt === undefined) return `${give}\n${become}`
  const bound = `mount --no-canonicalize --bind . ${quote(bindAt)} && ${become}`
  return `${give}\nexec ${words(['unshare', '--mount', '--propagation', 'private', 'bash', '-c', bound])}`
}

/** The kernel tells only of a parent that dies from now on; if Segno is gone already, so is the reason to go on. */
function lastSteps(parent: number, exec: readonly string[]): string {
  return `[ "$PPID" = ${parent} ] || exit 1
umask 022
for fd in /proc/self/fd/*; do
  fd=\${fd##*/}
  [ "$fd" -le 2 ] || exec {fd}>&-
done
exec > >(exec setsid cat 2>/dev/null)
exec ${words(exec)}`
}

function words(list: readonly string[]): string {
  return list.map(quote).join(' ')
}
