import { bashLimits, mcpLimits, readConfig, roundLimits } from '../../src/config/index.ts'

/** The limits of a Segno that nobody has set up. */
const config = readConfig({})

export const DEFAULT_ROUND_LIMITS = roundLimits(config)
export const { timeoutMs: _, ...SANDBOX_LIMITS } = bashLimits(config)
export const MCP_LIMITS = mcpLimits(config)
