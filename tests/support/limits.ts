import { readConfig, roomsOf } from '../../src/config/index.ts'

/** The limits of a Segno that nobody has set up. */
const { rounds, tools } = roomsOf(readConfig({}))

export const DEFAULT_ROUND_LIMITS = rounds.limits
const { timeoutMs: _, ...sandbox } = tools.bash
export const SANDBOX_LIMITS = sandbox
export const MCP_LIMITS = tools.mcp
export const WEB_LIMITS = tools.web
