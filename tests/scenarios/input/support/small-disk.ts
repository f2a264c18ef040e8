import { spawnSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A disk of a few megabytes that can be filled to its last byte. */
export interface SmallDisk {
  readonly folder: string
  fill(): void
  makeRoom(): void
}

/** Nothing where the one who runs the tests may not mount. */
export function smallDisk(): SmallDisk | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'segno-disk-'))
  const mounted = spawnSync('sh', ['-c', `mount -t tmpfs -o size=4m tmpfs ${folder}`]).status === 0
  onTestFinished(() => {
    if (mounted) spawnSync('sh', ['-c', `umount -l ${folder}`])
    rmSync(folder, { recursive: true, force: true })
  })
  if (!mounted) return undefined
  const filler = join(folder, 'filler')
  return {
    folder,
    fill() {
      const file = openSync(filler, 'a')
      for (const size of [65_536, 4096, 1]) {
        try {
          for (;;) if (writeSync(file, Buffer.alloc(size)) === 0) break
        } catch {
          // Full at this size of piece.
        }
      }
      closeSync(file)
    },
    makeRoom: () => rmSync(filler),
  }
}
