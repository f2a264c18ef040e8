import { createServer } from 'node:http'
import { text as readText } from 'node:stream/consumers'

export interface LoginServer {
  readonly origin: string
  close(): Promise<void>
}

/** An MCP server on the loopback that lets nobody in, with the authorization server that takes every code. */
export async function startLoginServer(): Promise<LoginServer> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '', origin)
    void readText(request).then((body) => {
      const [status, answer] = answerTo(pathname, body, origin)
      const where = `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`
      const headers = { 'content-type': 'application/json', ...(status === 401 && { 'www-authenticate': where }) }
      response.writeHead(status, headers).end(JSON.stringify(answer))
    })
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as { port: number }).port}`
  return {
    origin,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function answerTo(path: string, body: string, origin: string): [status: number, answer: object] {
  if (path === '/mcp') return [401, { error: 'invalid_token' }]
  if (path.startsWith('/.well-known/oauth-protected-resource'))
    return [200, { resource: `${origin}/mcp`, authorization_servers: [origin] }]
  if (path === '/.well-known/oauth-authorization-server')
    return [
      200,
      {
        issuer: origin,
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${origin}/token`,
        registration_endpoint: `${origin}/register`,
        response_types_supported: ['code'],
        code_challenge_methods_supported: ['S256'],
        grant_types_supported: ['authorization_code', 'refresh_token'],
        token_endpoint_auth_methods_supported: ['none'],
      },
    ]
  if (path === '/register')
    return [201, { ...(JSON.parse(body) as object), client_id: 'segno', token_endpoint_auth_method: 'none' }]
  if (path === '/token') return [200, { access_token: 'let-me-in', token_type: 'Bearer', expires_in: 3600 }]
  return [404, {}]
}
