import type { JsonObject } from '../../contract/message.ts'
import { textArgument } from '../local/text-argument.ts'

export const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
export const SHAPES = ['markdown', 'text', 'raw'] as const
export type Shape = (typeof SHAPES)[number]

/** The arguments of a call, read once. */
export interface WebCall {
  readonly method: string
  /** undefined when it is no URL */
  readonly url: URL | undefined
  /** the URL as it is requested and compared; as it was written when it is none */
  readonly href: string
  readonly body: string | undefined
  readonly contentType: string
  readonly as: Shape
}

export function readWebCall(args: JsonObject): WebCall {
  const { method, body, as } = args
  const written = textArgument(args, 'url')
  const url = URL.parse(written)
  if (url !== null) url.hash = ''
  return {
    method: METHODS.find((one) => one === method) ?? 'GET',
    url: url ?? undefined,
    href: url?.href ?? written,
    body: typeof body === 'string' ? body : undefined,
    contentType: textArgument(args, 'contentType', 'application/json'),
    as: SHAPES.find((one) => one === as) ?? 'markdown',
  }
}

/** It asks and changes nothing, if the server keeps to HTTP. */
export const isReading = ({ method }: WebCall): boolean => method === 'GET' || method === 'HEAD'
