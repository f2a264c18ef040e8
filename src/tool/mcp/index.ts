export { createMcp } from './create-mcp.ts'
export { MCP_LIMITS, type McpLimits } from './limits.ts'
export type {
  Mcp,
  McpChange,
  McpOptions,
  McpPlace,
  QuarantinedTool,
  ServerState,
  ServerStatus,
  ToolStatus,
} from './mcp.ts'
export { memoryPins, memoryTokens, type AuthRecord, type Pin, type PinStore, type TokenStore } from './ports.ts'
export { readMcpServers, type McpServer, type McpServers } from './servers.ts'
