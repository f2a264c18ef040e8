export { createMcp } from './create-mcp.ts'
export type { McpLimits } from './limits.ts'
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
export type { AuthRecord, Pin, PinStore, TokenStore } from './ports.ts'
export { readMcpServers, type McpServer, type McpServers } from './servers.ts'
