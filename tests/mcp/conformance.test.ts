import { expect, test } from 'vitest'
import { KNOWN, runScenario } from './conformance.ts'

/** The quick ones of each kind; `npm run conformance:mcp` runs all of them. */
const QUICK = ['tools_call', 'elicitation-sep1034-client-defaults', 'auth/scope-step-up']

test('passes scenarios of the official conformance suite', { timeout: 60_000 }, async () => {
  for (const scenario of QUICK) {
    expect(KNOWN).not.toHaveProperty(scenario)
    const { failed, passed } = await runScenario(scenario)
    expect({ scenario, failed, passes: passed > 0 }).toEqual({ scenario, failed: [], passes: true })
  }
})
