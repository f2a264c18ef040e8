import type { Segno } from '../../../src/segno.ts'
import { ask } from './ask.ts'
import type { JsonSchema } from './json-schema.ts'

export interface Operation {
  readonly method: string
  readonly path: string
  /** what `x-needs` says */
  readonly needs: string
}

export interface OpenApi {
  readonly openapi: string
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> } & Readonly<Record<string, unknown>>
}

export interface OperationObject {
  readonly 'x-needs'?: string
  readonly summary?: string
  readonly parameters?: readonly { name: string; in: string; required?: boolean; schema?: JsonSchema }[]
  readonly requestBody?: { content?: Readonly<Record<string, { schema?: JsonSchema }>> }
  readonly responses?: Readonly<
    Record<string, { description?: string; content?: Readonly<Record<string, { schema?: JsonSchema }>> }>
  >
  readonly security?: readonly unknown[]
}

export async function readOpenApi(segno: Segno): Promise<OpenApi> {
  return JSON.parse((await ask(segno, 'GET', '/openapi.json')).text) as OpenApi
}

/** Every operation there is, from the description the app itself gives. */
export async function readOperations(segno: Segno): Promise<Operation[]> {
  const { paths } = await readOpenApi(segno)
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { 'x-needs': needs }]) => {
      if (needs === undefined) throw new Error(`${method} ${path} does not say what it needs (x-needs)`)
      return { method: method.toUpperCase(), path, needs }
    }),
  )
}
