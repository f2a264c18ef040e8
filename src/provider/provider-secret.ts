import type { ProviderRecord } from '../contract/provider.ts'
import { SECRET_NAME } from '../lib/secret-texts.ts'
import type { CompleteInput } from './complete-input.ts'

type Texts = Readonly<Record<string, string>>

/** What of a provider is kept encrypted. */
export interface ProviderSecret {
  readonly key?: string
  readonly headers?: Texts
  readonly query?: Texts
}

/** Splits what an operator gave, with what was there before, into what is shown and what is encrypted. */
export function splitProvider(
  name: string,
  input: CompleteInput,
  before: { readonly record: ProviderRecord; readonly secret: ProviderSecret } | undefined,
  updatedAt: number,
): { record: ProviderRecord; secret: ProviderSecret | undefined } {
  const { kind, baseURL, local } = input
  const key = input.key === undefined ? before?.secret.key : (input.key ?? undefined)
  const headers = splitValues(input.headers, before?.record.headers, before?.secret.headers)
  const query = splitValues(input.query, before?.record.query, before?.secret.query)
  const record: ProviderRecord = {
    name,
    kind,
    ...(baseURL !== undefined && { baseURL }),
    ...(headers.plain && { headers: headers.plain }),
    ...(query.plain && { query: query.plain }),
    ...(local !== undefined && { local }),
    hasKey: key !== undefined,
    secretHeaders: Object.keys(headers.secret ?? {}),
    secretQuery: Object.keys(query.secret ?? {}),
    updatedAt,
  }
  const secret: ProviderSecret = {
    ...(key !== undefined && { key }),
    ...(headers.secret && { headers: headers.secret }),
    ...(query.secret && { query: query.secret }),
  }
  return { record, secret: Object.keys(secret).length === 0 ? undefined : secret }
}

function splitValues(given: Texts | null | undefined, plain: Texts | undefined, secret: Texts | undefined) {
  if (given === undefined) return { plain, secret }
  const all = Object.entries(given ?? {})
  const part = (isSecret: boolean): Texts | undefined => {
    const some = all.filter(([name]) => SECRET_NAME.test(name) === isSecret)
    return some.length === 0 ? undefined : Object.fromEntries(some)
  }
  return { plain: part(false), secret: part(true) }
}
