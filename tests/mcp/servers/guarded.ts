import { toNodeHandler } from '@modelcontextprotocol/node'
import { createMcpHandler } from '@modelcontextprotocol/server'
import { createHash, randomBytes } from 'node:crypto'
import type { IncomingHttpHeaders, RequestListener } from 'node:http'
import { text as readText } from 'node:stream/consumers'
import { listening, type Listening } from './http.ts'
import { modernServer } from './modern.ts'

export interface Guarded extends Listening {
  /** the authorization server's own address */
  readonly issuer: string
  /** requests to the authorization server, by path and grant */
  readonly asked: string[]
  /** headers of these requests */
  readonly heard: IncomingHttpHeaders[]
  /** What a person does who opens an address: logs in, and is sent back with a code. */
  visit(url: string): Promise<{ state: string; code: string; iss?: string }>
  /** Tokens handed out so far are good no more, and cannot be refreshed if `forGood`. */
  expire(forGood?: boolean): void
  /** every secret that was handed out or taken */
  readonly secrets: Set<string>
}

/** An MCP server and the authorization server that guards it, both on the loopback. */
export async function guardedServer(machine?: { id: string; secret: string }): Promise<Guarded> {
  const handle = toNodeHandler(createMcpHandler(() => modernServer())) as RequestListener
  const asked: string[] = []
  const heard: IncomingHttpHeaders[] = []
  const secrets = new Set<string>()
  const codes = new Map<string, { challenge: string; client: string }>()
  const access = new Set<string>()
  const refresh = new Set<string>()
  const clients = new Set<string>()
  const fresh = (into: Set<string>): string => {
    const secret = randomBytes(16).toString('hex')
    into.add(secret)
    secrets.add(secret)
    return secret
  }
  const grant = (): object => ({
    access_token: fresh(access),
    refresh_token: fresh(refresh),
    token_type: 'Bearer',
    expires_in: 3600,
  })

  function token(form: URLSearchParams, authorization: string | undefined): object | undefined {
    const kind = form.get('grant_type')
    if (kind === 'client_credentials') {
      const basic = `Basic ${Buffer.from(`${machine?.id}:${machine?.secret}`).toString('base64')}`
      return machine !== undefined && authorization === basic ? { ...grant(), refresh_token: undefined } : undefined
    }
    if (kind === 'refresh_token') return refresh.delete(form.get('refresh_token') ?? '') ? grant() : undefined
    const code = form.get('code') ?? ''
    const made = codes.get(code)
    codes.delete(code)
    const proof = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    return made?.challenge === proof && made.client === form.get('client_id') ? grant() : undefined
  }

  const issuer = (): string => listen.origin.replace('127.0.0.1', 'localhost')
  const listen: Listening = await listening((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', listen.origin)
    const json = (value: unknown, status = 200, headers = {}): void =>
      void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value))
    if (pathname === '/mcp') {
      if (access.has(request.headers.authorization?.replace('Bearer ', '') ?? '')) return handle(request, response)
      const where = `Bearer resource_metadata="${listen.origin}/.well-known/oauth-protected-resource/mcp"`
      return json({ error: 'invalid_token' }, 401, { 'www-authenticate': where })
    }
    asked.push(pathname)
    // What the server says of itself is its own, the rest is another's.
    if (!pathname.includes('protected-resource')) heard.push(request.headers)
    if (pathname.startsWith('/.well-known/oauth-protected-resource')) {
      return json({ resource: listen.url, authorization_servers: [issuer()] })
    }
    if (pathname === '/.well-known/oauth-authorization-server') {
      return json({
        issuer: issuer(),
        authorization_endpoint: `${issuer()}/authorize`,
        token_endpoint: `${issuer()}/token`,
        registration_endpoint: `${issuer()}/register`,
        response_types_supported: ['code'],
        code_challenge_methods_supported: ['S256'],
        grant_types_supported: ['authorization_code', 'refresh_token', 'client_credentials'],
        token_endpoint_auth_methods_supported: ['none', 'client_secret_basic'],
      })
    }
    if (pathname === '/authorize') {
      const code = randomBytes(8).toString('hex')
      codes.set(code, {
        challenge: searchParams.get('code_challenge') ?? '',
        client: searchParams.get('client_id') ?? '',
      })
      const back = new URL(searchParams.get('redirect_uri') ?? '')
      back.search = new URLSearchParams({ code, state: searchParams.get('state') ?? '' }).toString()
      return response.writeHead(302, { location: back.href }).end()
    }
    return void readText(request).then((body) => {
      if (pathname === '/register') {
        return json(
          { ...(JSON.parse(body) as object), client_id: fresh(clients), token_endpoint_auth_method: 'none' },
          201,
        )
      }
      const form = new URLSearchParams(body)
      asked[asked.length - 1] += ` ${form.get('grant_type')}`
      const given = pathname === '/token' ? token(form, request.headers.authorization) : undefined
      return given === undefined ? json({ error: 'invalid_grant' }, 400) : json(given)
    })
  })

  return {
    ...listen,
    issuer: issuer(),
    asked,
    heard,
    secrets,
    async visit(url) {
      const answer = await fetch(url, { redirect: 'manual' })
      const back = new URL(answer.headers.get('location') ?? '').searchParams
      return { state: back.get('state') ?? '', code: back.get('code') ?? '' }
    },
    expire(forGood = false) {
      access.clear()
      if (forGood) refresh.clear()
    },
  }
}
