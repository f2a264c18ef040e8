import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Parts } from '../../../../src/app.ts'
import type { Segno, SegnoOptions } from '../../../../src/segno.ts'
import { composeUnderTest } from '../../../support/compose-under-test.ts'

/** A folder that is gone when the test is over. */
export function tempHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'segno-scenario-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  return home
}

/** Segno with every option and part in the test's hands, closed when the test ends. */
export async function openSegno(options: SegnoOptions, parts: Parts = {}): Promise<Segno> {
  const limits = { RETRY_BASE_MS: 1, DRAIN_MS: 50, ...options.limits }
  const home = options.home ?? tempHome()
  const segno = await composeUnderTest(
    { env: {}, durability: 'normal', builtInTools: false, ...options, home, limits },
    parts,
  )
  onTestFinished(() => segno.close())
  return segno
}
