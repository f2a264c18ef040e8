/** The number of a system call on each processor, -1 if it has none. */
export interface Numbers {
  readonly x64: number
  readonly arm64: number
}

/** Calls that reach beyond namespaces, or add ways to attack the kernel. */
export const DENIED: Readonly<Record<string, Numbers>> = {
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

/** Calls whose arguments a filter cannot read; C libraries fall back to older ones. */
export const MISSING: Readonly<Record<string, Numbers>> = {
  clone3: { x64: 435, arm64: 435 },
  openat2: { x64: 437, arm64: 437 },
  fchmodat2: { x64: 452, arm64: 452 },
}

/** Calls for memory that belongs to no process; each has an alternative that is counted. */
export const UNCOUNTED: Readonly<Record<string, Numbers>> = {
  memfd_create: { x64: 319, arm64: 279 },
  memfd_secret: { x64: 447, arm64: 447 },
  shmget: { x64: 29, arm64: 194 },
  semget: { x64: 64, arm64: 190 },
  msgget: { x64: 68, arm64: 186 },
}

/** Calls that set the mode of a file, and in which argument; not mkdir, because the kernel drops setuid there. */
export const MODE_CALLS: Readonly<Record<string, Numbers & { readonly mode: number }>> = {
  chmod: { x64: 90, arm64: -1, mode: 1 },
  fchmod: { x64: 91, arm64: 52, mode: 1 },
  fchmodat: { x64: 268, arm64: 53, mode: 2 },
  creat: { x64: 85, arm64: -1, mode: 1 },
  mknod: { x64: 133, arm64: -1, mode: 1 },
  mknodat: { x64: 259, arm64: 33, mode: 2 },
}

/** The same, but only if they create a file. */
export const OPEN_CALLS: Readonly<Record<string, Numbers & { readonly flags: number; readonly mode: number }>> = {
  open: { x64: 2, arm64: -1, flags: 1, mode: 2 },
  openat: { x64: 257, arm64: 56, flags: 2, mode: 3 },
}

/** Calls that the filter checks in special ways. */
export const CALLS = {
  clone: { x64: 56, arm64: 220 },
  fallocate: { x64: 285, arm64: 47 },
  ioctl: { x64: 16, arm64: 29 },
  setsockopt: { x64: 54, arm64: 208 },
  socket: { x64: 41, arm64: 198 },
  socketpair: { x64: 53, arm64: 199 },
} satisfies Readonly<Record<string, Numbers>>
