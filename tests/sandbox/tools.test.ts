import { beforeAll, expect, test } from 'vitest'
import { SANDBOX_LIMITS } from '../support/limits.ts'
import { asCommand } from './support/attack.ts'
import { onEveryPlace } from './support/on-every-place.ts'
import { EACH_KIND } from './support/variants.ts'

const NOT_HERE = 99

/** What people and models do all day. */
const TOOLS: Readonly<Record<string, string>> = {
  install: 'install -m 755 /usr/bin/id installed && ./installed -u',
  mkdir: 'mkdir -p -m 1777 /tmp/everybody && [ -k /tmp/everybody ]',
  cp: 'mkdir from && cp -p /usr/bin/id from && cp -a from to && cp -r to again && cmp from/id again/id',
  // Without being asked to, it leaves the setuid bits of what it packs out.
  tar: 'mkdir unpacked && tar c -C /usr/bin su id | tar x -C unpacked && [ -x unpacked/su ]',
  mktemp: 'mktemp && mktemp -d && mktemp --tmpdir=.',
  mkfifo: 'mkfifo pipe && { echo through >pipe & } && grep through pipe',
  git: `git init -q repository && cd repository && echo 1 >file && git add file &&
    git -c user.name=n -c user.email=e commit -qm first && git clone -q . ../clone && git gc -q && cmp file ../clone/file`,
  make: "printf 'a b: ; touch $@\\n' >Makefile && make -j2 a b && [ -e b ]",
  gcc: "echo 'int main() { return 0; }' >main.c && gcc main.c -o main && ./main",
  perl: `perl -MSocket -e 'for (SOCK_STREAM, SOCK_SEQPACKET) { socketpair(A, B, AF_UNIX, $_, 0) or die $! }
    syswrite A, "x"; exit(sysread(B, $x, 1) == 1 ? 0 : 1)'`,
  python3: `/usr/bin/python3 -c 'import asyncio, multiprocessing, socket, subprocess, tempfile
a, b = socket.socketpair()
a.send(b"x")
assert b.recv(1) == b"x"
assert subprocess.check_output(["echo", "x"]) == b"x\\n"
assert asyncio.run(asyncio.sleep(0, 1)) == 1
assert multiprocessing.Pool(2).map(abs, [-1]) == [1]
tempfile.TemporaryFile().write(b"x")'`,
  node: `cat >child.js <<<'process.send("hello"); process.disconnect()'
    node -e 'const { execFileSync, fork } = require("node:child_process"); execFileSync("true")
    fork("./child.js").on("message", (text) => process.exitCode = text === "hello" ? 0 : 1); process.exitCode = 1'`,
}

await onEveryPlace(
  (place) => {
    let said: string

    beforeAll(async () => {
      const tools = Object.entries(TOOLS).map(([title, code]) => ({
        title,
        code: () => `PATH=/usr/bin:/bin; command -v ${title} || exit ${NOT_HERE}; ${code}`,
      }))
      said = (await place.runner.run(asCommand(tools, undefined), place.folder, 60_000)).text
    }, 60_000)

    test.for(Object.keys(TOOLS).map((tool, index) => ({ tool, index })))('$tool works', ({ index }, { skip }) => {
      const line = said.split('\n')[index] ?? ''
      if (line.startsWith(`${index} ${NOT_HERE} `)) skip('not on this machine')
      expect(line).toMatch(new RegExp(`^${index} 0 `))
    })
  },
  EACH_KIND,
  SANDBOX_LIMITS,
)
