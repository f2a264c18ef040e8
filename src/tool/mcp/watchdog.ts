import { spawn, type ChildProcess } from 'node:child_process'

/** Reads `+ 123` and `- 123`, process groups that must not outlive Segno; when the input ends, it kills those left. */
const SCRIPT = `
groups=' '
while read -r what group; do
  case $what in
    +) groups="$groups$group " ;;
    -) groups="\${groups%% $group *} \${groups#* $group }" ;;
  esac
done
for group in $groups; do kill -s KILL -- "-$group" 2>/dev/null; done
`

export type Watchdog = ReturnType<typeof createWatchdog>

/** Kills the process groups it watches when this process dies, even by SIGKILL; one small shell does it for all. */
export function createWatchdog() {
  let shell: ChildProcess | undefined
  let closed = false
  const groups = new Set<number>()
  const tell = (line: string): void => {
    shell?.stdin?.write(`${line}\n`)
  }
  function start(): void {
    // Detached, so that Ctrl-C at the terminal reaches only Segno, which stops its servers in order.
    const started = spawn('/bin/sh', ['-c', SCRIPT], { stdio: ['pipe', 'ignore', 'ignore'], detached: true, env: {} })
    shell = started
    const gone = (): void => {
      if (shell === started) shell = undefined
    }
    started.on('error', gone)
    started.on('exit', gone)
    started.stdin.on('error', gone)
    started.unref()
    ;(started.stdin as unknown as { unref(): void }).unref()
    for (const group of groups) tell(`+ ${group}`)
  }
  return {
    watch(group: number): void {
      groups.add(group)
      if (shell === undefined && !closed) start()
      else tell(`+ ${group}`)
    },
    forget(group: number): void {
      if (groups.delete(group)) tell(`- ${group}`)
    },
    /** Kills what still runs. */
    close(): void {
      closed = true
      shell?.stdin?.end()
    },
  }
}
