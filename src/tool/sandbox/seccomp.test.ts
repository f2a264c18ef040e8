import { describe, expect, test } from 'vitest'
import { seccompFilter } from './seccomp.ts'

const ALLOWED = 0x7fff_0000
const ERRNO = 0x0005_0000
const EPERM = 1
const ENOSYS = 38

/** What the kernel would answer: the few instructions that the filter has. */
function answer(filter: Buffer, architecture: number, call: number, args: readonly number[]): number {
  const data = Buffer.alloc(64)
  data.writeInt32LE(call, 0)
  data.writeUInt32LE(architecture, 4)
  for (const [index, value] of args.entries()) data.writeBigInt64LE(BigInt(value), 16 + 8 * index)
  let loaded = 0
  for (let at = 0; at < filter.length; at += 8) {
    const code = filter.readUInt16LE(at)
    const value = filter.readUInt32LE(at + 4)
    const skip = (isSo: boolean): void => void (at += 8 * filter.readUInt8(at + (isSo ? 2 : 3)))
    if (code === 0x20) loaded = data.readUInt32LE(value)
    else if (code === 0x15) skip(loaded === value)
    else if (code === 0x35) skip(loaded >= value)
    else if (code === 0x45) skip((loaded & value) !== 0)
    else if (code === 0x06) return value
    else throw new Error(`The filter has an instruction ${code} that is not known here.`)
  }
  throw new Error('The filter ends without an answer.')
}

// Numbers from the tables of the kernel: those of arm64 cannot be tried on another processor.
const PROCESSORS = {
  x64: {
    architecture: 0xc000_003e,
    uncounted: [319, 447, 29, 64, 68],
    setsockopt: 54,
    fchmod: 91,
    fchmodat: 268,
    mknodat: 259,
    openat: 257,
    socket: 41,
    socketpair: 53,
  },
  arm64: {
    architecture: 0xc000_00b7,
    uncounted: [279, 447, 194, 190, 186],
    setsockopt: 208,
    fchmod: 52,
    fchmodat: 53,
    mknodat: 33,
    openat: 56,
    socket: 198,
    socketpair: 199,
  },
}

describe.each(Object.entries(PROCESSORS))('on %s', (processor, numbers) => {
  const filter = seccompFilter(false, processor)
  const asks = (call: number, ...args: number[]): number => {
    if (filter === undefined) throw new Error('There is no filter.')
    return answer(filter, numbers.architecture, call, args)
  }

  test.each(['6755', '4000', '2777'])('a file cannot get the mode %s', (octal) => {
    const mode = Number.parseInt(octal, 8)
    expect(asks(numbers.fchmod, 3, mode)).toBe(ERRNO + EPERM)
    expect(asks(numbers.fchmodat, -100, 0, mode)).toBe(ERRNO + EPERM)
    expect(asks(numbers.mknodat, -100, 0, 0o100_000 + mode)).toBe(ERRNO + EPERM)
    expect(asks(numbers.openat, -100, 0, 0o101, mode)).toBe(ERRNO + EPERM)
    expect(asks(numbers.openat, -100, 0, 0o2020_0002, mode)).toBe(ERRNO + EPERM)
  })

  test.each(['0', '644', '1777'])('a file can get the mode %s', (octal) => {
    const mode = Number.parseInt(octal, 8)
    expect(asks(numbers.fchmod, 3, mode)).toBe(ALLOWED)
    expect(asks(numbers.fchmodat, -100, 0, mode)).toBe(ALLOWED)
    expect(asks(numbers.mknodat, -100, 0, 0o10_000 + mode)).toBe(ALLOWED)
    expect(asks(numbers.openat, -100, 0, 0o101, mode)).toBe(ALLOWED)
  })

  test('a file that is there is opened whatever stands where the mode would', () => {
    expect(asks(numbers.openat, -100, 0, 0o2, 0o7777)).toBe(ALLOWED)
  })

  test.each([437, 452])('the call %i, whose arguments cannot be read, is missing', (call) => {
    expect(asks(call)).toBe(ERRNO + ENOSYS)
  })

  test('memory that belongs to no process is missing, and sockets keep their size', () => {
    for (const call of numbers.uncounted) expect(asks(call), String(call)).toBe(ERRNO + ENOSYS)
    for (const option of [7, 8, 32, 33]) expect(asks(numbers.setsockopt, 3, 1, option)).toBe(ERRNO + EPERM)
    expect(asks(numbers.setsockopt, 3, 1, 2)).toBe(ALLOWED)
    expect(asks(numbers.setsockopt, 3, 6, 7)).toBe(ALLOWED)
    const counted = seccompFilter(true, processor) as Buffer
    for (const call of [...numbers.uncounted, numbers.setsockopt])
      expect(answer(counted, numbers.architecture, call, [3, 1, 7]), String(call)).toBe(ALLOWED)
  })

  test('sockets are of the network, pairs are of streams', () => {
    expect(asks(numbers.socket, 1, 1, 0)).toBe(ERRNO + EPERM)
    expect(asks(numbers.socket, 2, 1, 0)).toBe(ALLOWED)
    expect(asks(numbers.socketpair, 1, 0x8_0801, 0)).toBe(ALLOWED)
    expect(asks(numbers.socketpair, 1, 0x8_0802, 0)).toBe(ERRNO + EPERM)
  })
})

test('there is no filter for a processor whose numbers are not known', () => {
  expect(seccompFilter(false, 'riscv64')).toBe(undefined)
})
