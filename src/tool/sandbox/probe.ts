import { chown, mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SANDBOX_UID, type Sandbox } from './sandbox.ts'

const TIMEOUT_MS = 10_000

/** What must be true inside: a word for it, and a shell test. */
const CHECKS: Readonly<Record<string, string>> = {
  'it is another user': '[ "$(id -u)" = 1000 ]',
  'it has no privileges': 'grep -q "^CapEff:[[:space:]]*0*$" /proc/self/status',
  'it can gain none': 'grep -q "^NoNewPrivs:[[:space:]]*1$" /proc/self/status',
  'its system calls are filtered': 'grep -q "^Seccomp:[[:space:]]*2$" /proc/self/status',
  'there is no network': '! grep -v -e "|" -e "^ *lo:" /proc/net/dev',
  'other processes are hidden': '[ "$(ls /proc | grep -c "^[0-9]*$")" -lt 20 ]',
  'the system is read-only': '! touch /probe /usr/probe /etc/probe',
  'homes are hidden': '! [ -e /root ] && ! [ -e /home ]',
  'the folder is writable': '[ "$PWD" = /workspace ] && touch probe && rm probe',
  '/tmp is writable': 'touch /tmp/probe',
  'devices work': 'echo >/dev/null && head -c 1 /dev/urandom >/dev/null',
}

/** Tries a sandbox out: undefined when it holds, else what is wrong. */
export async function probe(sandbox: Sandbox): Promise<string | undefined> {
  const folder = await mkdtemp(join(await realpath(tmpdir()), 'segno-probe-'))
  try {
    if (process.getuid?.() === 0) await chown(folder, SANDBOX_UID, SANDBOX_UID)
    const script = Object.entries(CHECKS).map(
      ([what, test]) => `{ ${test}; } >/dev/null 2>&1 || echo "not true: ${what}"`,
    )
    const run = sandbox.run([...script, 'echo done'].join('\n'), {
      folder,
      timeoutMs: TIMEOUT_MS,
      signal: new AbortController().signal,
    })
    let said = ''
    let next = await run.next()
    for (; next.done !== true; next = await run.next()) said += Buffer.from(next.value).toString()
    if (said === 'done\n') return undefined
    return said.split('\n')[0] || `it ended with ${JSON.stringify(next.value)}`
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
