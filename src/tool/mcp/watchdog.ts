import { spawn, type ChildProcess } from 'node:child_process'

/**
 * Lines `+ 123` and `- 123` tell of process groups that must not outlive Segno. The end of the input means that Segno
 * is gone, however it went: what is left is killed.
 */
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

/** Kills the process groups it watches when this process dies, even by SIGKILL. One small shell serves all of them. */
export interface Watchdog {
  watch(group: number): void
  forget(group: number): void
  /** Lets go of everything; whoever still runs is killed. */
  close(): void
}

export function createWatchdog(): Watchdog {
  let shell: ChildProcess | undefined
  let closed = false
  const groups = new Set<number>()
  const tell = (line: string): void => {
    shell?.stdin?.write(`${line}\n`)
  }
  function start(): void {
    // In a session of its own: a Ctrl-C at the terminal is for Segno, which then stops its servers in order.
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
    watch(group) {
      groups.add(group)
      if (shell === undefined && !closed) start()
      else tell(`+ ${group}`)
    },
    forget(group) {
      if (groups.delete(group)) tell(`- ${group}`)
    },
    close() {
      closed = true
      shell?.stdin?.end()
    },
  }
}
