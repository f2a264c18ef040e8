import { CALLS, DENIED, MISSING, MODE_CALLS, type Numbers, OPEN_CALLS, UNCOUNTED } from './system-calls.ts'

const ARCHITECTURE: Numbers = { x64: 0xc000_003e, arm64: 0xc000_00b7 }

const NEW_NAMESPACE = 0x7e02_0080
/** type into a terminal: TIOCSTI, TIOCLINUX */
const TYPING = [0x5412, 0x541c]
/** inet, inet6, netlink: the families that a network namespace separates */
const FAMILIES = [2, 10, 16]
/** a bit in the type of datagram and raw sockets only */
const DATAGRAM = 2
const NO_CALL: Numbers = { x64: -1, arm64: -1 }
/** SO_SNDBUF, SO_RCVBUF, SO_SNDBUFFORCE, SO_RCVBUFFORCE */
const SOCKET_SIZES = [7, 8, 32, 33]
const SOL_SOCKET = 1
/** setuid and setgid */
const AS_ANOTHER = 0o6000
/** O_CREAT and O_TMPFILE */
const CREATES = 0o2000_0100

const EPERM = 1
const ENOSYS = 38
const EOPNOTSUPP = 95
const ALLOW = 0x7fff_0000
const KILL = 0x8000_0000
const refuse = (errno: number): number => 0x0005_0000 | errno

const LOAD = 0x20
const RETURN = 0x06
const IF_EQUAL = 0x15
const IF_AT_LEAST = 0x35
const IF_ANY_BIT = 0x45

type Instruction = readonly [code: number, yes: number, no: number, value: number]

const load = (from: number): Instruction => [LOAD, 0, 0, from]
const argument = (index: number): Instruction => load(16 + 8 * index)
const answer = (value: number): Instruction => [RETURN, 0, 0, value]
/** Otherwise the next `most` instructions are skipped. */
const ifEqual = (value: number, most: number): Instruction => [IF_EQUAL, 0, most, value]
const ifAnyBit = (bits: number, most: number): Instruction => [IF_ANY_BIT, 0, most, bits]
const refuseIfAnyBit = (bits: number): Instruction[] => [ifAnyBit(bits, 1), answer(refuse(EPERM)), answer(ALLOW)]

/**
 * A filter for the kernel that refuses system calls no command needs; undefined for an unknown processor. Unless the
 * kernel counts all memory of a command (`isCounted`), calls whose memory cannot be counted are refused too. Each
 * instruction is [code, skip if true, skip if false, value].
 */
export function seccompFilter(isCounted: boolean, processor: string = process.arch): Buffer | undefined {
  if (processor !== 'x64' && processor !== 'arm64') return undefined
  const ifCalled = (numbers: Numbers, ...then: readonly Instruction[]): Instruction[] => [
    ifEqual(numbers[processor], then.length),
    ...then,
  ]
  const program: Instruction[] = [
    load(4),
    [IF_EQUAL, 1, 0, ARCHITECTURE[processor]],
    answer(KILL),
    load(0),
    // the second set of call numbers of x64
    [IF_AT_LEAST, 0, 1, 0x4000_0000],
    answer(refuse(EPERM)),
    ...Object.values(DENIED).flatMap((numbers) => ifCalled(numbers, answer(refuse(EPERM)))),
    ...Object.values(MISSING).flatMap((numbers) => ifCalled(numbers, answer(refuse(ENOSYS)))),
    ...Object.values(isCounted ? {} : UNCOUNTED).flatMap((numbers) => ifCalled(numbers, answer(refuse(ENOSYS)))),
    ...ifCalled(
      isCounted ? NO_CALL : CALLS.setsockopt,
      argument(1),
      ifEqual(SOL_SOCKET, 1 + 2 * SOCKET_SIZES.length),
      argument(2),
      ...SOCKET_SIZES.flatMap((option) => [ifEqual(option, 1), answer(refuse(EPERM))]),
      answer(ALLOW),
    ),
    // Reserved but unwritten room is counted for nobody.
    ...ifCalled(CALLS.fallocate, answer(refuse(EOPNOTSUPP))),
    ...ifCalled(CALLS.clone, argument(0), ...refuseIfAnyBit(NEW_NAMESPACE)),
    ...ifCalled(
      CALLS.ioctl,
      argument(1),
      ...TYPING.flatMap((request) => [ifEqual(request, 1), answer(refuse(EPERM))]),
      answer(ALLOW),
    ),
    // Outside the sandbox, other users could run a setuid file of the workspace.
    ...Object.values(MODE_CALLS).flatMap((call) => ifCalled(call, argument(call.mode), ...refuseIfAnyBit(AS_ANOTHER))),
    ...Object.values(OPEN_CALLS).flatMap((call) => {
      const checked = [argument(call.mode), ...refuseIfAnyBit(AS_ANOTHER)]
      return ifCalled(call, argument(call.flags), ifAnyBit(CREATES, checked.length), ...checked, answer(ALLOW))
    }),
    // No unix sockets, because a socket file in the workspace may belong to a service of this machine; pairs are allowed
    // if they cannot send to another socket.
    ...ifCalled(
      CALLS.socket,
      argument(0),
      ...FAMILIES.flatMap((family) => [ifEqual(family, 1), answer(ALLOW)]),
      answer(refuse(EPERM)),
    ),
    ...ifCalled(CALLS.socketpair, argument(1), ...refuseIfAnyBit(DATAGRAM)),
    answer(ALLOW),
  ]
  return Buffer.concat(program.map(encode))
}

function encode([code, yes, no, value]: Instruction): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeUInt16LE(code, 0)
  bytes.writeUInt8(yes, 2)
  bytes.writeUInt8(no, 3)
  bytes.writeUInt32LE(value >>> 0, 4)
  return bytes
}

/** Perl can make any system call, so it can install a filter without a compiler. */
export function filtered(filter: Buffer): string[] {
  // prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, {length, program})
  const prctl = process.arch === 'arm64' ? 167 : 157
  const script = `$p = pack("H*", shift); $f = pack("S x6 P", length($p) / 8, $p);
syscall(${prctl}, 22, 2, $f, 0, 0) == 0 or exit 126; exec { $ARGV[0] } @ARGV; exit 127`
  return ['perl', '-e', script, filter.toString('hex')]
}
