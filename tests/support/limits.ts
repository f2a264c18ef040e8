import { readConfig, roomsOf } from '../../src/config/index.ts'

/** The limits of a Segno that nobody has set up. */
const { rounds, tools } = roomsOf(readConfig({}))

export const DEFAULT_ROUND_LIMITS = rounds.limits
export const { timeoutMs: _, ...SANDBOX_LIMITS } = tools.bash
export const MCP_LIMITS = tools.mcp
