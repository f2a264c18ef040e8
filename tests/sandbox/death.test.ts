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

await onEveryPlace((place, variant) => {
  let runs = 0
  const newMark = (): string => `clinging-${process.pid}-${place.runner.pid}-${runs++}`

  test('nothing survives the end of its command', async () => {
    const mark = newMark()
    const { end } = await place.runner.run(clinging(mark), place.folder)
    expect(end).toEqual({ code: 0 })
    expect(await survivors(mark)).toEqual([])
  })

  test('nothing survives the deadline', async () => {
    const mark = newMark()
    const running = place.runner.start(`${clinging(mark)} sleep 100`, place.folder, 2_000)
    await running.started
    expect(marked(mark).length).toBeGreaterThan(5)
    const { end, ms } = await running.ended
    expect(end).toEqual({ stopped: 'time' })
    expect(ms).toBeLessThan(5_500)
    expect(await survivors(mark)).toEqual([])
  })

  test('nothing survives a cancel', async () => {
    const mark = newMark()
    const running = place.runner.start(`${clinging(mark)} sleep 100`, place.folder, 60_000)
    await running.started
    running.cancel()
    expect((await running.ended).end).toEqual({ stopped: 'cancelled' })
    expect(await survivors(mark)).toEqual([])
  })

  test('nothing survives too much output', async () => {
    const mark = newMark()
    const { end, output } = await place.runner.run(`${clinging(mark)} cat /dev/zero`, place.folder)
    expect(end).toEqual({ stopped: 'output' })
    expect(output.length).toBe(SMALL.outputBytes)
    expect(await survivors(mark)).toEqual([])
  })

  test.each(['-1', '0'])('a command that sends signals to %s reaches only itself', async (whom) => {
    const mark = newMark()
    const { end } = await place.runner.run(`${clinging(mark)} kill -KILL ${whom}; sleep 100`, place.folder, 5_000)
    expect(end).toEqual({ code: 137 })
    expect(await survivors(mark)).toEqual([])
    const stopping = await place.runner.run(`sh -c 'kill -STOP ${whom}' & sleep 0.2; sleep 100`, place.folder, 500)
    expect(stopping.end).toEqual({ stopped: 'time' })
    expect((await place.runner.run('echo alive', place.folder)).text).toBe('alive\n')
  })

  test('nothing survives a kill -9 of Segno', async () => {
    const mark = newMark()
    const late = await makePlace(variant)
    const running = late.runner.start(`${clinging(mark)} sleep 100`, late.folder, 60_000)
    await running.started
    expect(marked(mark).length).toBeGreaterThan(5)
    await late.runner.kill()
    expect(await survivors(mark)).toEqual([])
    await late.close()
  })

  test('nothing survives a kill -9 of Segno while the sandbox is being built', async () => {
    const mark = newMark()
    const kill = async (ms: number): Promise<void> => {
      const early = await makePlace(variant)
      early.runner.start(`${clinging(mark)} sleep 100`, early.folder, 60_000)
      await setTimeout(ms)
      await early.runner.kill()
      await early.close()
    }
    await Promise.all([10, 30, 50].map(kill))
    expect(await survivors(mark)).toEqual([])
  })
})
