import { setTimeout } from 'node:timers/promises'

/** Looks until the condition holds; a test that waits for what never comes fails by its own time limit. */
export async function eventually(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await setTimeout(5)
}
