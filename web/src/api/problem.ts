/** What the server, or the way to it, answered instead of what was asked for. */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem'

  /** 0: nobody answered */
  readonly status: number
  readonly code: string
  readonly retryAfterMs: number | undefined

  constructor(status: number, code: string, message: string, retryAfterMs?: number) {
    super(message)
    this.status = status
    this.code = code
    this.retryAfterMs = retryAfterMs
  }
}

/** What a person is told of something that went wrong. */
export function wordsOf(error: unknown): string {
  return error instanceof ApiProblem ? error.message : 'Something went wrong in this page. Loading it again may help.'
}
