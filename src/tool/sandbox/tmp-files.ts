import { statfs } from 'node:fs/promises'

/** What the kernel needs for a file without content and its name. */
const FILE_BYTES = 1024

/**
 * Memory of the files in the /tmp of a command besides their content, which has its own limit: bubblewrap cannot bound
 * their number. Which of its processes are inside is told by the size of what they see there.
 */
export async function tmpFilesMemory(pids: readonly number[], tmpBytes: number): Promise<number> {
  const seen = await Promise.all(pids.map((pid) => statfs(`/proc/${pid}/root/tmp`).catch(() => undefined)))
  const own = seen.find((one) => one && Math.abs(one.blocks * one.bsize - tmpBytes) < one.bsize)
  return own ? (own.files - own.ffree) * FILE_BYTES : 0
}
