/** System calls that reach what no namespace divides, or that widen the way into the kernel: number on each processor. */
const DENIED: Readonly<Record<string, Numbers>> = {
  add_key: { x64: 248, arm64: 217 },
  request_key: { x64: 249, arm64: 218 },
  keyctl: { x64: 250, arm64: 219 },
  syslog: { x64: 103, arm64: 116 },
  ptrace: { x64: 101, arm64: 117 },
  process_vm_writev: { x64: 311, arm64: 271 },
  pidfd_getfd: { x64: 438, arm64: 438 },
  bpf: { x64: 321, arm64: 280 },
  perf_event_open: { x64: 298, arm64: 241 },
  userfaultfd: { x64: 323, arm64: 282 },
  open_by_handle_at: { x64: 304, arm64: 265 },
  unshare: { x64: 272, arm64: 97 },
  setns: { x64: 308, arm64: 268 },
  mount: { x64: 165, arm64: 40 },
  umount2: { x64: 166, arm64: 39 },
  pivot_root: { x64: 155, arm64: 41 },
  open_tree: { x64: 428, arm64: 428 },
  move_mount: { x64: 429, arm64: 429 },
  fsopen: { x64: 430, arm64: 430 },
  mount_setattr: { x64: 442, arm64: 442 },
  io_uring_setup: { x64: 425, arm64: 425 },
  io_uring_enter: { x64: 426, arm64: 426 },
  io_uring_register: { x64: 427, arm64: 427 },
}
const CLONE: Numbers = { x64: 56, arm64: 220 }
const CLONE3: Numbers = { x64: 435, arm64: 435 }
const FALLOCATE: Numbers = { x64: 285, arm64: 47 }
const IOCTL: Numbers = { x64: 16, arm64: 29 }
const SOCKET: Numbers = { x64: 41, arm64: 198 }
const ARCHITECTURE: Numbers = { x64: 0xc000_003e, arm64: 0xc000_00b7 }

const NEW_NAMESPACE = 0x7e02_0080
/** typing into a terminal: TIOCSTI, TIOCLINUX */
const TYPING = [0x5412, 0x541c]
/** unix, inet, inet6, netlink: those that a network namespace divides; vsock, for one, is the same everywhere */
const FAMILIES = [1, 2, 10, 16]

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

interface Numbers {
  readonly x64: number
  readonly arm64: number
}
type Instruction = readonly [code: number, yes: number, no: number, value: number]

/**
 * A filter for the kernel that answers EPERM to calls no command needs; undefined for a processor whose numbers are not
 * known here. Each test is followed by its answer, so jumps are short: [code, skip if so, skip if not, value].
 */
export function seccompFilter(processor: string = process.arch): Buffer | undefined {
  if (processor !== 'x64' && processor !== 'arm64') return undefined
  const number = 0
  const argument = (index: number): number => 16 + 8 * index
  const unlessEqual = (value: number, skip: number): Instruction => [IF_EQUAL, 0, skip, value]
  const answer = (value: number): Instruction => [RETURN, 0, 0, value]
  const load = (from: number): Instruction => [LOAD, 0, 0, from]
  const program: Instruction[] = [
    load(4),
    [IF_EQUAL, 1, 0, ARCHITECTURE[processor]],
    answer(KILL),
    load(number),
    // the second set of numbers that x64 has
    [IF_AT_LEAST, 0, 1, 0x4000_0000],
    answer(refuse(EPERM)),
    ...Object.values(DENIED).flatMap((numbers) => [unlessEqual(numbers[processor], 1), answer(refuse(EPERM))]),
    // Its arguments cannot be read by a filter; C libraries use clone instead when it is missing.
    unlessEqual(CLONE3[processor], 1),
    answer(refuse(ENOSYS)),
    // Room that is set aside but not written counts for nobody.
    unlessEqual(FALLOCATE[processor], 1),
    answer(refuse(EOPNOTSUPP)),
    unlessEqual(CLONE[processor], 4),
    load(argument(0)),
    [IF_ANY_BIT, 0, 1, NEW_NAMESPACE],
    answer(refuse(EPERM)),
    answer(ALLOW),
    unlessEqual(IOCTL[processor], 2 * TYPING.length + 2),
    load(argument(1)),
    ...TYPING.flatMap((request) => [unlessEqual(request, 1), answer(refuse(EPERM))]),
    answer(ALLOW),
    unlessEqual(SOCKET[processor], 2 * FAMILIES.length + 2),
    load(argument(0)),
    ...FAMILIES.flatMap((family) => [unlessEqual(family, 1), answer(ALLOW)]),
    answer(refuse(EPERM)),
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

/** Perl can make any system call: the only common way to put a filter in place without a compiler. */
export function filtered(filter: Buffer): string[] {
  // prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, {length, program})
  const prctl = process.arch === 'arm64' ? 167 : 157
  const script = `$p = pack("H*", shift); $f = pack("S x6 P", length($p) / 8, $p);
syscall(${prctl}, 22, 2, $f, 0, 0) == 0 or exit 126; exec { $ARGV[0] } @ARGV; exit 127`
  return ['perl', '-e', script, filter.toString('hex')]
}
