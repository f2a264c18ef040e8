import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { tmpFilesMemory } from '../../src/tool/sandbox/memory.ts'
import { treeOf } from '../../src/tool/sandbox/tree-of.ts'
import { verifies } from '../support/verifies.ts'
import { onEveryPlace } from './support/on-every-place.ts'
import { EACH_KIND, SMALL } from './support/variants.ts'

/** A file in memory, sent to oneself and closed: no process has it, and it is there. */
const SENT_FILES = `use Socket; socketpair(A, B, AF_UNIX, SOCK_STREAM, 0); for (1..30) {
  $n = "m"; $fd = syscall(319, $n, 0); if ($fd < 0) { print "refused\\n"; exit 1 }
  open(my $f, ">&=", $fd); syswrite($f, "x" x 9_000_000); $byte = "x"; $iov = pack("P Q", $byte, 1);
  $control = pack("Q l l l x4", 20, 1, 1, $fd); $message = pack("Q L x4 P Q P Q L x4", 0, 0, $iov, 1, $control, 24, 0);
  syscall(46, fileno(A), $message, 0) < 0 and exit 2; close $f } print "held\\n"`

/** Written and let go of again, while the whole is still there; bit by bit, so that it is looked at meanwhile. */
const SHARED = `import mmap, os, time
m = mmap.mmap(-1, 300_000_000)
def fill(at):
  m[at:at + 20_000_000] = b"x" * 20_000_000; time.sleep(0.1)
for at in range(0, 300_000_000, 20_000_000):`

const SHARED_AND_ENDED = `python3 -c '${SHARED}\n  if os.fork() == 0: fill(at); os._exit(0)\n  os.wait()\ntime.sleep(20)'`

/** As many sockets as one process can have, each as full as it gets. */
const SOCKETS = `use Socket; use IO::Handle; $x = "x" x 65536;
for (1..6) { $kid = fork; last if !$kid }
for (1..120) { socketpair($a[$_], $b[$_], AF_UNIX, SOCK_STREAM, 0) or last; for $s ($a[$_], $b[$_]) {
  setsockopt($s, 1, 7, pack("l", 4_000_000)) and print "larger\\n"; $s->blocking(0); 1 while syswrite($s, $x) } }
sleep 20`

await onEveryPlace((place) => {
  const run = (command: string) => place.runner.run(command, place.folder, 15_000)

  verifies('ORC-10', 'files in memory that are sent away and closed do not escape the count', async () => {
    expect((await run(`perl -e '${SENT_FILES}'; sleep 0.3`)).text).toBe('refused\n')
  })

  test.each([
    [
      'shared and let go of',
      `python3 -c '${SHARED}\n  fill(at); m.madvise(mmap.MADV_DONTNEED, at // 4096 * 4096)\ntime.sleep(20)'`,
    ],
    ['shared by processes that have ended', SHARED_AND_ENDED],
    [
      'of the tables of memory',
      `python3 -c 'import mmap, time
m = mmap.mmap(-1, 1 << 37, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000, mmap.PROT_READ)
for at in range(0, 1 << 37, 1 << 21): m[at]
time.sleep(20)'`,
    ],
    ['that waits in sockets', `perl -e '${SOCKETS}'`],
  ])('memory %s is counted', async (_, command) => {
    const { end, text } = await run(command)
    expect({ end, text }).toEqual({ end: { stopped: 'memory' }, text: '' })
  })

  test.each([
    ['segments', '29, 0, 50_000_000, 01600'],
    ['semaphores', '64, 0, 32000, 01600'],
    ['queues', '68, 0, 01600'],
    ['secret files', '447, 0'],
  ])('%s that belong to no process cannot be made', async (_, call) => {
    expect((await run(`perl -e '@a = (${call}); print syscall(shift @a, @a) < 0 ? "refused" : "made"'`)).text).toBe(
      'refused',
    )
  })

  test('files in /tmp are counted by their number too', async () => {
    const running = place.runner.start('touch /tmp/{1..3000}; echo made; sleep 20', place.folder)
    await running.started
    const held = await tmpFilesMemory(await treeOf(place.runner.pid), SMALL.tmpBytes)
    running.cancel()
    await running.ended
    expect(held).toBeGreaterThan(3_000_000)
    expect(held).toBeLessThan(3_200_000)
  })

  test.skipIf(!existsSync('/dev/shm'))('what others share meanwhile is not held against a command', async () => {
    const running = place.runner.start('echo started; sleep 0.7; echo fine', place.folder)
    await running.started
    const other = `/dev/shm/segno-${process.pid}`
    writeFileSync(other, Buffer.alloc(SMALL.memoryBytes + 10_000_000))
    onTestFinished(() => rmSync(other))
    expect((await running.ended).text).toBe('started\nfine\n')
  })

  test.skipIf(!existsSync('/dev/shm'))(
    'what others let go of meanwhile hides nothing that a command takes',
    async () => {
      const other = `/dev/shm/segno-${process.pid}`
      writeFileSync(other, Buffer.alloc(250_000_000))
      onTestFinished(() => rmSync(other, { force: true }))
      const running = place.runner.start(
        `echo started; until [ -e go ]; do sleep 0.1; done; ${SHARED_AND_ENDED}`,
        place.folder,
      )
      await running.started
      rmSync(other)
      const go = join(place.folder, 'go')
      writeFileSync(go, '')
      onTestFinished(() => rmSync(go))
      expect((await running.ended).end).toEqual({ stopped: 'memory' })
    },
  )
}, EACH_KIND)
