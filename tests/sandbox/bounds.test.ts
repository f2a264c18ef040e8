import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { onEveryPlace } from './support/on-every-place.ts'
import { EACH_KIND, SMALL } from './support/variants.ts'

await onEveryPlace((place) => {
  const run = (command: string, timeoutMs?: number) => place.runner.run(command, place.folder, timeoutMs)

  test('one process gets no more memory than its share', async () => {
    const { end, text } = await run(`perl -e '$x = "x" x 100_000_000; print "got it"'`)
    expect(end).not.toEqual({ code: 0 })
    expect(text).not.toContain('got it')
  })

  test.each([
    ['many processes', `for i in {1..8}; do perl -e '$x = "x" x 30_000_000; sleep 20' & done; wait`],
    [
      'memory that is shared',
      `python3 -c 'import mmap, time
m = mmap.mmap(-1, 150_000_000)
for at in range(0, 150_000_000, 4096): m[at] = 1
time.sleep(20)'`,
    ],
  ])('memory in %s is counted together', async (_, command) => {
    expect((await run(command, 15_000)).end).toEqual({ stopped: 'memory' })
  })

  test('no file grows past its limit, not even a hollow one', async () => {
    const filled = await run(
      'head -c 15000000 /dev/zero >big; echo "code $?"; stat -c %s big; truncate -s 1T hollow; echo "code $?"',
    )
    expect(filled.text).toMatch(/code 153\n999\d{4}\n[^]*code 153\n$/)
  })

  test('room on the disk cannot be set aside without writing', async () => {
    expect((await run('fallocate -l 5000000 aside; stat -c %b aside')).text).toMatch(/not supported\n0\n$/)
  })

  test('what others write to the same disk is not held against a command', async () => {
    const running = place.runner.start('echo started; sleep 0.7; echo fine', place.folder)
    await running.started
    const other = join(place.outside, 'other')
    writeFileSync(other, Buffer.alloc(2 * SMALL.diskBytes))
    expect((await running.ended).text).toBe('started\nfine\n')
    rmSync(other)
  })

  test('/tmp is full when it is full', async () => {
    const { text } = await run('head -c 8000000 /dev/zero >/tmp/big; echo "code $?"; du -b /tmp/big')
    expect(text).toMatch(/No space left on device\ncode 1\n\d{7}\t/)
    expect((await run('ls -A /tmp')).text).toBe('')
  })

  test.each([
    ['bytes', 'for i in {1..20}; do head -c 8000000 /dev/zero >f$i; done; sleep 100'],
    [
      'bytes that nobody sees',
      'for i in {10..30}; do eval "exec $i>gone"; rm gone; head -c 8000000 /dev/zero >&$i; done; sleep 100',
    ],
    ['files', 'for i in {1..4000}; do : >n$i; done; sleep 100'],
  ])('a disk that fills with %s ends the command', async (_, command) => {
    expect((await run(`mkdir full; cd full; ${command}`, 90_000)).end).toEqual({ stopped: 'disk' })
    rmSync(join(place.folder, 'full'), { recursive: true })
  })
}, EACH_KIND)
