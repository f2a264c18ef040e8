import type { Layout } from './layout.ts'
import type { SandboxLimits } from './sandbox.ts'

/** What both ways of building a sandbox need to know of a run. */
export interface Inside {
  readonly layout: Layout
  readonly limits: SandboxLimits
  readonly timeoutMs: number
  readonly command: string
  /** for the kernel: which system calls it refuses */
  readonly filter: Buffer
}
