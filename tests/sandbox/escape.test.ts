import { spawn } from 'node:child_process'
import { chmodSync, chownSync, copyFileSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asCommand, type Attack } from './support/attack.ts'
import { ATTACKS } from './support/attacks.ts'
import { type Host, openHost } from './support/host.ts'
import { isRoot } from './support/machine-has.ts'
import { onEveryPlace } from './support/on-every-place.ts'
import { CANARY, makePlace, type Place } from './support/variants.ts'

const COULD_NOT_TRY = 99

/** How each attack ended, in their order. */
function ends(said: string): { readonly code: number; readonly said: string }[] {
  const lines = said.split('\n').filter(Boolean)
  return lines
    .map((line) => /^\d+ (\d+) (.*)$/.exec(line))
    .map((match) => ({ code: Number(match?.[1]), said: match?.[2] ?? '' }))
}

/** A program of another user with its setuid bit, as an attacker with a friend outside might have one. */
function plant({ folder }: Place): void {
  const path = join(folder, 'planted')
  copyFileSync('/usr/bin/id', path)
  if (isRoot) chownSync(path, 33, 33)
  chmodSync(path, 0o6755)
}

await onEveryPlace((place) => {
  let host: Host
  let results: ReturnType<typeof ends>

  beforeAll(async () => {
    host = await openHost(place)
    plant(place)
    const ran = await place.runner.run(asCommand(ATTACKS, host.facts), place.folder, 60_000)
    results = ends(ran.text)
  }, 60_000)

  afterAll(() => host.close())

  test.each(ATTACKS.map(({ title }, index) => ({ title, index })))('a command cannot $title', ({ index }) => {
    const result = results[index]
    expect(result?.code, result?.said).not.toBe(COULD_NOT_TRY)
    expect(result?.code, result?.said).toBeGreaterThan(0)
  })

  test('nobody outside has heard anything, also not by datagram, and nothing outside has changed', async () => {
    const datagram = `perl -MSocket -e 'socket(S, 2, 2, 17); send(S, "x", 0, sockaddr_in(${host.facts.udpPort}, inet_aton("127.0.0.1"))); print "sent"'`
    expect((await place.runner.run(datagram, place.folder)).text).toBe('sent')
    expect(host.visitors).toEqual([])
    expect(readdirSync(place.outside).toSorted()).toEqual(['host.sock', 'secret.txt'])
    expect(readdirSync(place.home)).toEqual(['segno.db'])
    expect(readFileSync(join(place.outside, 'secret.txt'), 'utf8')).toBe('secret')
    for (const folder of ['/', '/usr', '/etc', '/tmp', '/var']) expect(existsSync(join(folder, 'escaped'))).toBe(false)
  })
})

describe.skipIf(!isRoot)('without a sandbox (as root, so that nothing but a sandbox could hold them)', () => {
  const harmless: readonly Attack[] = ATTACKS.filter((attack) => attack.harmless)
  let results: ReturnType<typeof ends>

  beforeAll(async () => {
    const place = await makePlace({ kind: 'namespaces', uid: undefined })
    const host = await openHost(place)
    plant(place)
    const run = spawn('bash', ['-c', asCommand(harmless, host.facts)], {
      cwd: place.folder,
      env: { PATH: process.env['PATH'], SEGNO_SECRET: CANARY },
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    results = ends(await text(run.stdout))
    await host.close()
    await place.close()
  }, 60_000)

  test.each(harmless.map(({ title }, index) => ({ title, index })))('the same attack can $title', ({ index }) => {
    const result = results[index]
    expect(result?.code, result?.said).toBe(0)
  })
})
