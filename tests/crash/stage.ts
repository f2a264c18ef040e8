import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { startLedger, type Ledger } from './ledger.ts'

/** A home and a world outside it, both gone when the test is over. */
export async function setStage(): Promise<{ home: string; ledger: Ledger }> {
  const home = mkdtempSync(join(tmpdir(), 'segno-crash-'))
  const ledger = await startLedger()
  onTestFinished(async () => {
    await ledger.close()
    rmSync(home, { recursive: true, force: true })
  })
  return { home, ledger }
}
