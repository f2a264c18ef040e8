import { probe, type Probe } from '../../../support/probe-tool.ts'
import type { Tool } from '../../../../src/contract/tool.ts'

/** A tool that stays inside its call until the test lets it go, or until it is told to stop. */
export interface GateTool extends Probe {
  /** resolves when the first call is inside */
  readonly entered: Promise<void>
  open(): void
}

export function gateTool(name = 'hold', more: Omit<Partial<Tool>, 'run'> = {}): GateTool {
  const entered = Promise.withResolvers<void>()
  const opened = Promise.withResolvers<void>()
  const tool = probe(name, {
    ...more,
    async run(_args, { signal }) {
      entered.resolve()
      const stopped = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
      await Promise.race([opened.promise, stopped])
      return 'let go'
    },
  })
  return Object.assign(tool, { entered: entered.promise, open: opened.resolve })
}
