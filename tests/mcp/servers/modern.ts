/** A server on the SDK's own server package: it speaks the newer protocol, and the older one to those who ask for it. */
import { fromJsonSchema, inputRequired, inputResponse, McpServer } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { z } from 'zod'

const text = (words: string) => ({ content: [{ type: 'text' as const, text: words }] })

/** `withHeaders`: with tools that want arguments sent as headers too, one of them in a way that is not allowed */
export function modernServer(withHeaders = false): McpServer {
  const server = new McpServer({ name: 'modern', version: '1.0.0' }, { capabilities: { tools: { listChanged: true } } })
  const schema = { type: 'object' as const, properties: { colour: { type: 'string' as const } } }
  server.registerTool('echo', { inputSchema: z.object({ text: z.string() }) }, ({ text: words }) => text(words))
  server.registerTool('fail', { inputSchema: z.object({}) }, () => ({ ...text('it cannot be done'), isError: true }))
  server.registerTool('structured', { inputSchema: z.object({}), outputSchema: z.object({ n: z.number() }) }, () => ({
    content: [],
    structuredContent: { n: 3 },
  }))
  server.registerTool('ask', { inputSchema: z.object({}) }, (_, ctx) => {
    const answer = inputResponse(ctx.mcpReq.inputResponses, 'colour')
    if (answer.kind !== 'missing') return text(JSON.stringify(answer))
    const colour = inputRequired.elicit({ message: 'Which colour?', requestedSchema: schema })
    return inputRequired({ inputRequests: { colour } })
  })
  server.registerTool('roots', { inputSchema: z.object({}) }, (_, ctx) => {
    const answer = inputResponse(ctx.mcpReq.inputResponses, 'roots')
    if (answer.kind === 'roots') return text(JSON.stringify(answer.roots))
    return inputRequired({ inputRequests: { roots: inputRequired.listRoots() } })
  })
  server.registerTool('sample', { inputSchema: z.object({}) }, () => {
    const messages = [{ role: 'user' as const, content: { type: 'text' as const, text: 'Think for me.' } }]
    return inputRequired({ inputRequests: { thought: inputRequired.createMessage({ messages, maxTokens: 10 }) } })
  })
  server.registerTool('grow', { inputSchema: z.object({}) }, () => {
    server.registerTool('grown', { inputSchema: z.object({}) }, () => text('new here'))
    return text('grown')
  })
  const region = { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } }
  const nameless = { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': '' } } }
  if (withHeaders) {
    server.registerTool('region', { inputSchema: fromJsonSchema(region) }, () => text('here'))
    server.registerTool('nameless', { inputSchema: fromJsonSchema(nameless) }, () => text('nowhere'))
  }
  server.registerTool('meta', { inputSchema: z.object({}) }, (_, ctx) => text(JSON.stringify(ctx.mcpReq._meta)))
  server.registerTool('crash', { inputSchema: z.object({}) }, () => process.exit(1))
  return server
}

if (import.meta.main) serveStdio(() => modernServer())
