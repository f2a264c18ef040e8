import type { Dice } from '../crash/dice.ts'
import type { JsonSchema } from '../security/support/json-schema.ts'
import type { OpenApi, OperationObject } from '../security/support/operations.ts'
import {
  ACCEPTS,
  BAD_BODIES,
  CONTENT_TYPES,
  METHODS,
  NO_HTTP,
  ODD_HEADERS,
  ODD_HEADS,
  ODD_IDS,
  ODD_KEYS,
  ODD_PATHS,
  ODD_WORDS,
} from './fuzz-oddities.ts'
import { almost, fitting } from './fuzz-values.ts'

export interface FuzzRequest {
  readonly bytes: Buffer
  /** the client says that nothing more will come */
  readonly ends: boolean
  readonly isHead: boolean
}

/** Ids that are there, to ask for real things too. */
interface Known {
  readonly sessions: readonly string[]
  readonly rounds: readonly string[]
  readonly key: string
}

export interface Generator {
  next(known: Known): FuzzRequest
}

interface Operation {
  readonly method: string
  readonly path: string
  readonly operation: OperationObject
}

export function createGenerator(dice: Dice, document: OpenApi): Generator {
  const operations: Operation[] = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
  const writing = operations.filter(({ operation }) => operation.requestBody)
  const resolve = (ref: string): JsonSchema | undefined =>
    document.components.schemas[ref.slice('#/components/schemas/'.length)]

  /** An operation as it is described, with something wrong about it more often than not. */
  function described(known: Known): FuzzRequest {
    const { method, path, operation } = chosen(operations)
    const { parameters = [], requestBody } = operation
    const schema = requestBody?.content?.['application/json']?.schema
    const value = schema && fitting(dice, schema, resolve)
    const body = schema === undefined ? undefined : often() ? JSON.stringify(value) : almost(dice, value)
    const query = parameters.flatMap(({ name, in: place, schema: inner, required }) => {
      if (place !== 'query' || !(required || often())) return []
      const text = often() ? String(fitting(dice, inner ?? {}, resolve)) : dice.oneOf(ODD_WORDS)
      return [`${name}=${encodeURIComponent(text)}`]
    })
    const headers = parameters.flatMap(({ name, in: place }) =>
      place === 'header' && dice.between(0, 3) === 0 ? [`${name}: ${dice.oneOf(ODD_HEADERS)}`] : [],
    )
    const address = fill(path, known) + (query.length > 0 ? `?${query.join('&')}` : '')
    return request(method, address, [...headers, ...admission(known), ...accept()], body)
  }

  /** Bodies that are no JSON, or not what their headers say. */
  function badBody(known: Known): FuzzRequest {
    const { method, path } = chosen(writing)
    const address = fill(path, known)
    const body = dice.oneOf(BAD_BODIES)
    const type = dice.oneOf(CONTENT_TYPES)
    const headers = [...(type === '' ? [] : [`content-type: ${type}`]), ...admission(known)]
    switch (dice.between(0, 6)) {
      case 0:
        return raw([`${method} ${address} HTTP/1.1`, HOST, ...headers, 'transfer-encoding: chunked'], chunked(body))
      case 1: {
        const broken = Buffer.from(
          dice.oneOf(['zz\r\nhello\r\n0\r\n\r\n', '5\r\nhello', '-1\r\n\r\n', 'ffffffffff\r\n']),
        )
        return raw([`${method} ${address} HTTP/1.1`, HOST, ...headers, 'transfer-encoding: chunked'], broken, true)
      }
      case 2:
        return raw(
          [`${method} ${address} HTTP/1.1`, HOST, ...headers, `content-length: ${body.length + 10}`],
          body,
          true,
        )
      case 3: {
        const length = dice.oneOf(['-1', 'abc', '1e3', '99999999999999999999', '0x10', '5, 6'])
        return raw([`${method} ${address} HTTP/1.1`, HOST, ...headers, `content-length: ${length}`], body, true)
      }
      case 4:
        return request(method, address, [...headers, `content-encoding: ${dice.oneOf(['gzip', 'br', 'nope'])}`], body)
      default:
        return request(method, address, headers, body)
    }
  }

  /** Requests that are hardly HTTP any more. */
  function odd(known: Known): FuzzRequest {
    const { path } = chosen(operations)
    const address = dice.between(0, 1) === 1 ? fill(path, known) : dice.oneOf(ODD_PATHS)
    switch (dice.between(0, 5)) {
      case 0:
        return request(dice.oneOf(METHODS), address, admission(known), dice.oneOf([undefined, '{}']))
      case 1:
        return raw([
          `GET ${address} ${dice.oneOf(['HTTP/1.0', 'HTTP/1.1', 'HTTP/2.0', 'HTTP/9.9', 'HTCPCP/1.0', ''])}`,
          HOST,
        ])
      case 2:
        return raw([`GET ${address} HTTP/1.1`, ...dice.oneOf(ODD_HEADS)])
      case 3:
        return raw([`POST ${address} HTTP/1.1`, HOST, 'content-type: application/json', ...dice.oneOf(ODD_HEADS)])
      case 4:
        return { bytes: Buffer.from(dice.oneOf(NO_HTTP), 'latin1'), ends: true, isHead: false }
      default:
        return request('GET', dice.oneOf(ODD_PATHS), [...admission(known), ...accept()], undefined)
    }
  }

  const often = (): boolean => dice.between(0, 9) < 4
  const accept = (): string[] => (dice.between(0, 5) === 0 ? [`accept: ${dice.oneOf(ACCEPTS)}`] : [])

  /** The whole audit log at each call would be most of the work. */
  function chosen(from: readonly Operation[]): Operation {
    const one = dice.oneOf(from)
    return one.path === '/api/audit/export' && dice.between(0, 20) > 0 ? dice.oneOf(writing) : one
  }

  function admission({ key }: Known): string[] {
    switch (dice.between(0, 9)) {
      case 0:
        return [`authorization: Bearer ${key}`]
      case 1:
        return [`authorization: ${dice.oneOf(ODD_KEYS)}`]
      case 2:
        return [
          dice.oneOf([
            'origin: http://evil.example',
            'x-forwarded-for: 1.2.3.4',
            'sec-fetch-site: cross-site',
            'origin: \x80',
          ]),
        ]
      default:
        return []
    }
  }

  function fill(path: string, { sessions, rounds }: Known): string {
    return path.replace(/\{(\w+)\}/g, (_, name) => {
      if (dice.between(0, 2) === 0) return dice.oneOf(ODD_IDS)
      return dice.oneOf(name === 'requestId' ? rounds : sessions)
    })
  }

  return {
    next(known) {
      const kind = dice.between(0, 9)
      return kind < 6 ? described(known) : kind < 8 ? badBody(known) : odd(known)
    },
  }
}

const HOST = 'host: 127.0.0.1'

function request(
  method: string,
  address: string,
  headers: readonly string[],
  body: string | Buffer | undefined,
): FuzzRequest {
  const bytes = body === undefined ? undefined : Buffer.from(body)
  const typed =
    headers.some((header) => header.startsWith('content-type')) || !bytes ? [] : ['content-type: application/json']
  const sized = bytes ? [`content-length: ${bytes.length}`] : []
  return raw([`${method} ${address} HTTP/1.1`, HOST, ...typed, ...headers, ...sized], bytes)
}

/** Header lines as they are, in bytes and not in letters. */
function raw(lines: readonly string[], body: Buffer = Buffer.alloc(0), ends = false): FuzzRequest {
  const head = Buffer.from(`${[...lines, 'connection: close'].join('\r\n')}\r\n\r\n`, 'latin1')
  return { bytes: Buffer.concat([head, body]), ends, isHead: lines[0]?.startsWith('HEAD ') === true }
}

function chunked(body: Buffer): Buffer {
  const size = (bytes: Buffer): Buffer => Buffer.from(`${bytes.length.toString(16)}\r\n`)
  const half = Math.ceil(body.length / 2)
  const pieces = [body.subarray(0, half), body.subarray(half)].filter((piece) => piece.length > 0)
  const parts = pieces.flatMap((piece) => [size(piece), piece, Buffer.from('\r\n')])
  return Buffer.concat([...parts, Buffer.from('0\r\n\r\n')])
}
