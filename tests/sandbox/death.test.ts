import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { marked, survivors } from './support/marked.ts'
import { onEveryPlace } from './support/on-every-place.ts'
import { makePlace, SMALL } from './support/variants.ts'

/** Processes that do what they can to stay: daemons, deaf to signals, stopped, without a parent, without pipes. */
const clinging = (mark: string): string => `
trap '' TERM INT HUP QUIT
deaf='$SIG{$_} = "IGNORE" for qw(TERM INT HUP QUIT); sleep 100'
perl -e "$deaf" ${mark} &
setsid perl -e "$deaf" ${mark} </dev/null >/dev/null 2>&1 &
(setsid nohup perl -e 'fork and exit; fork and exit; close STDOUT; close STDERR; sleep 100' ${mark} >/dev/null 2>&1 &)
perl -e 'kill STOP => $$; sleep 100' ${mark} &
perl -e '1 while 1' ${mark} &
sleep 0.2
echo started
`

// Side by side: most of the time nothing happens in them.
await onEveryPlace((place, variant) => {
  let runs = 0
  const newMark = (): string => `clinging-${process.pid}-${place.runner.pid}-${runs++}`

  test.concurrent('nothing survives the end of its command', async () => {
    const mark = newMark()
    const { end } = await place.runner.run(clinging(mark), place.folder)
    expect(end).toEqual({ code: 0 })
    expect(await survivors(mark)).toEqual([])
  })

  test.concurrent('nothing survives the deadline', async () => {
    const mark = newMark()
    const running = place.runner.start(`${clinging(mark)} sleep 100`, place.folder, 2_000)
    await running.started
    expect(marked(mark).length).toBeGreaterThan(5)
    const { end, ms } = await running.ended
    expect(end).toEqual({ stopped: 'time' })
    expect(ms).toBeLessThan(5_500)
    expect(await survivors(mark)).toEqual([])
  })

  test.concurrent('nothing survives a cancel', async () => {
    const mark = newMark()
    const running = place.runner.start(`${clinging(mark)} sleep 100`, place.folder, 60_000)
    await running.started
    running.cancel()
    expect((await running.ended).end).toEqual({ stopped: 'cancelled' })
    expect(await survivors(mark)).toEqual([])
  })

  test.concurrent('nothing survives too much output', async () => {
    const mark = newMark()
    const { end, output } = await place.runner.run(`${clinging(mark)} cat /dev/zero`, place.folder)
    expect(end).toEqual({ stopped: 'output' })
    expect(output.length).toBe(SMALL.outputBytes)
    expect(await survivors(mark)).toEqual([])
  })

  test.concurrent.each(['-1', '0'])('a command that sends signals to %s reaches only itself', async (whom) => {
    const mark = newMark()
    const { end } = await place.runner.run(`${clinging(mark)} kill -KILL ${whom}; sleep 100`, place.folder, 5_000)
    expect(end).toEqual({ code: 137 })
    expect(await survivors(mark)).toEqual([])
    const stopping = await place.runner.run(`sh -c 'kill -STOP ${whom}' & sleep 0.2; sleep 100`, place.folder, 500)
    expect(stopping.end).toEqual({ stopped: 'time' })
    expect((await place.runner.run('echo alive', place.folder)).text).toBe('alive\n')
  })

  test.concurrent('a fork bomb has 64 processes and ends at its deadline', async () => {
    const mark = newMark()
    const bomb = place.runner.run(`bomb() { bomb | bomb & }; : ${mark}; bomb; sleep 60`, place.folder, 600)
    const count = `perl -e 'while ($n < 500) { defined($p = fork) or last; $p or sleep 20, exit; $n++ } print $n'`
    const { text } = await place.runner.run(count, place.folder)
    expect(Number(text)).toBeGreaterThan(30)
    expect(Number(text)).toBeLessThan(64)
    const { end, ms } = await bomb
    expect(end).toEqual({ stopped: 'time' })
    expect(ms).toBeLessThan(4_000)
    expect(await survivors(mark)).toEqual([])
  })

  test.concurrent('nothing survives a kill -9 of Segno, also while sandboxes are being built', async () => {
    const mark = newMark()
    const killed = await makePlace(variant)
    const start = (name: string) => killed.runner.start(`${clinging(mark + name)} sleep 100`, killed.folder, 60_000)
    await start('-in-use').started
    expect(marked(`${mark}-in-use`).length).toBeGreaterThan(5)
    // Its sandboxes are 50, 30 and 10 ms old in the end.
    for (const ms of [20, 20, 10]) {
      start('-early')
      await setTimeout(ms)
    }
    await killed.runner.kill()
    expect(await survivors(mark)).toEqual([])
    await killed.close()
  })
})
