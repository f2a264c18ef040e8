import { Problem, type ProblemCode } from '../contract/problem.ts'

/** A failed request. */
export class ApiProblem extends Problem {
  /** the HTTP status; 0: no answer, or not from Segno */
  readonly status: number
  /** the wrong fields of the request */
  readonly errors: readonly { readonly field: string; readonly message: string }[]

  constructor(
    status: number,
    code: ProblemCode,
    detail: string,
    more: { errors?: ApiProblem['errors']; retryAfterMs?: number; cause?: unknown } = {},
  ) {
    const { errors = [], ...rest } = more
    super(code, detail, { ...rest, ...(errors[0] && { field: errors[0].field }) })
    this.name = 'ApiProblem'
    this.status = status
    this.errors = errors
  }
}

export const unreachable = (detail: string, cause?: unknown): ApiProblem =>
  new ApiProblem(0, 'STORE_UNAVAILABLE', detail, { cause })

export const notSegno = ({ status }: Response): ApiProblem =>
  unreachable(`What answered is not Segno (status ${status}). Look at the address.`)
