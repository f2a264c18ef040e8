import { BASH, quote } from './quote.ts'

export interface StartOptions {
  /** the process that must outlive the command */
  readonly parent: number
  /** the user the command becomes when Segno is root */
  readonly user?: { readonly uid: number; readonly gid: number }
  /** the real path of the folder; nothing starts if the script finds itself elsewhere */
  readonly folder: string
  /** as root: files of root in the folder are given to the user */
  readonly give?: boolean
  /** as root: where any user can reach the folder */
  readonly bindAt?: string
  /** the file by which it joins the group of this command */
  readonly members?: string
  /** the sandbox's own command line */
  readonly exec: readonly string[]
}

/**
 * The steps from Segno to the sandbox, all in one process: give the folder to the user of the command, become that user,
 * die with Segno, and use a pipe for the output, because Node's socket cannot be opened as /dev/stdout. The working
 * folder is the workspace all the time, so that its path is not resolved again.
 */
export function startScript({ parent, user, folder, give = false, bindAt, members, exec }: StartOptions): string {
  const join = members === undefined ? '' : `echo $$ >${quote(members)} || exit 1\n`
  const dieTogether = ['setpriv', '--pdeathsig', 'KILL']
  const asUser = user === undefined ? [] : [`--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups']
  const last = words([...BASH, lastSteps(parent, exec)])
  const become = `exec ${words([...dieTogether, ...asUser])} ${last}`
  const start = `${join}[ "$(pwd -P)" = ${quote(folder)} ] || { echo "its folder is no longer where it was" >&2; exit 1; }`
  if (user === undefined) return `${start}\n${become}`
  // Only files of root, such as those of other tools; links are not followed.
  const given = give ? `\nchown -RhP --from=0 ${user.uid}:${user.gid} . 2>/dev/null || :` : ''
  if (bindAt === undefined) return `${start}${given}\n${become}`
  const bound = `mount --no-canonicalize --bind . ${quote(bindAt)} && ${become}`
  return `${start}${given}\nexec ${words(['unshare', '--mount', '--propagation', 'private', ...BASH, bound])}`
}

/**
 * Segno may die before the kernel was asked to kill its children. So a guard outside the sandbox reads stdin, and kills
 * the group when Segno's end of it is closed.
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
