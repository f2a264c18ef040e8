import { createHash, randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { onEveryPlace } from './support/on-every-place.ts'
import { EACH_KIND, SMALL } from './support/variants.ts'

const hash = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

await onEveryPlace((place) => {
  const run = (command: string) => place.runner.run(command, place.folder)

  test.each([0, 1, 65_537, 3_000_001])('%i random bytes come out as they went in', async (length) => {
    const bytes = randomBytes(length)
    writeFileSync(join(place.folder, 'bytes'), bytes)
    const { output, end } = await run('cat bytes')
    expect(end).toEqual({ code: 0 })
    expect(hash(output)).toBe(hash(bytes))
  })

  test('of 50 MB exactly as much comes out as is allowed', async () => {
    const { output, end } = await run('head -c 50000000 /dev/zero')
    expect(end).toEqual({ stopped: 'output' })
    expect(hash(output)).toBe(hash(Buffer.alloc(SMALL.outputBytes)))
  })

  test('exactly the allowed output is no reason to be killed', async () => {
    expect((await run(`head -c ${SMALL.outputBytes} /dev/zero`)).end).toEqual({ code: 0 })
  })

  test('stdout and stderr come in the order they were written, by whatever name', async () => {
    const { text } = await run('echo 1; echo 2 >&2; echo 3 >/dev/stderr; echo 4 >/dev/stdout; printf 5')
    expect(text).toBe('1\n2\n3\n4\n5')
  })

  test.each([1, 125, 137])('tells the exit code %i', async (code) => {
    expect((await run(`exit ${code}`)).end).toEqual({ code })
  })

  test('a command is taken as it is, with quotes, newlines, dollars and many characters', async () => {
    const odd = `'"\\$(id)\`id\` $HOME é😀\n\t;&|*`
    expect((await run(`cat <<'END'\n${odd}\nEND`)).text).toBe(`${odd}\n`)
    const long = '😀'.repeat(15_000)
    expect((await run(`echo '${long}'`)).text).toBe(`${long}\n`)
    await expect(run('echo \0')).rejects.toThrow('NUL')
  })
}, EACH_KIND)
