import { chown, mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SANDBOX_UID, type Sandbox } from './sandbox.ts'

const TIMEOUT_MS = 10_000

/** What must be true inside, with a test that starts few processes. */
const CHECKS: Readonly<Record<string, string>> = {
  'it is another user': '[ "$EUID" = 1000 ]',
  'it has no privileges': '[[ $status =~ CapEff:[[:space:]]*0+[[:space:]] ]]',
  'it can gain none': '[[ $status =~ NoNewPrivs:[[:space:]]*1[[:space:]] ]]',
  'its system calls are filtered': '[[ $status =~ Seccomp:[[:space:]]*2[[:space:]] ]]',
  'there is no network': '! grep -v -e "|" -e "^ *lo:" /proc/net/dev',
  'other processes are hidden': 'processes=(/proc/[0-9]*); [ "${#processes[@]}" -lt 20 ]',
  'the system is read-only': '! : >/probe && ! : >/usr/probe && ! : >/etc/probe',
  'homes are hidden': '! [ -e /root ] && ! [ -e /home ]',
  'the folder is writable': '[ "$PWD" = /workspace ] && : >probe && rm probe',
  '/tmp is writable': ': >/tmp/probe',
  'devices work': 'echo >/dev/null && read -r -n 1 </dev/urandom',
}

/** Tests a sandbox; returns what is wrong with it, if anything. */
export async function probe(sandbox: Sandbox): Promise<string | undefined> {
  const folder = await mkdtemp(join(await realpath(tmpdir()), 'segno-probe-'))
  try {
    if (process.getuid?.() === 0) await chown(folder, SANDBOX_UID, SANDBOX_UID)
    const script = Object.entries(CHECKS).map(
      ([what, test]) => `{ ${test}; } >/dev/null 2>&1 || echo "not true: ${what}"`,
    )
    const run = sandbox.run(['status=$(</proc/self/status)', ...script, 'echo done'].join('\n'), {
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
