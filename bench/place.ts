import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** One place for everything a run writes, so that Segno and its floors share a disk. */
export interface Place {
  /** a new folder */
  folder(name: string): string
  remove(): void
}

export function makePlace(): Place {
  const root = mkdtempSync(join(process.env['BENCH_FOLDER'] ?? tmpdir(), 'segno-bench-'))
  return {
    folder: (name) => mkdtempSync(join(root, `${name}-`)),
    remove: () => rmSync(root, { recursive: true, force: true }),
  }
}
