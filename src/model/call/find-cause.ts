import { CAUSES, type Cause } from './causes.ts'
import type { ProviderError } from './read-error.ts'

/** How a cause is told: by a status or a code of the provider, or only by its message. */
interface Sign {
  readonly cause: Cause
  readonly codes?: RegExp
  readonly says?: RegExp
  /** the statuses whose messages are looked at; by default those of a bad request */
  readonly on?: ReadonlySet<number | undefined>
}

/** Errors inside a stream have no status. */
const BAD_REQUEST: ReadonlySet<number | undefined> = new Set([400, 422, undefined])
const REFUSED: ReadonlySet<number | undefined> = new Set([400, 403, 404, 422, 429, undefined])
const BUSY: ReadonlySet<number | undefined> = new Set([429, 500, 502, 503, undefined])

/** The first sign that fits counts. */
const SIGNS: readonly Sign[] = [
  {
    cause: CAUSES.credit,
    codes: /insufficient_(?:quota|balance)|billing|credit|perday|^402$/,
    says: /credit balance is too low|insufficient (?:credits|balance)|have any credits|api usage limits|requires a subscription/i,
    on: REFUSED,
  },
  {
    cause: CAUSES.tooLong,
    codes: /context_(?:length|window|size)|prompt_too_long|request_too_large|prompt_tokens_exceeded|^413$/,
    says: /(?:prompt|input) (?:is )?too long|context (?:length|limit|size|window)|maximum (?:number of tokens|prompt length|model length|allowed input length)/i,
  },
  {
    cause: CAUSES.tooLong,
    says: /reduce the length of the (?:messages|prompt|input)|model token limit|token count of \d{1,12} exceeds|range of input length|prompt 超长/i,
  },
  {
    cause: CAUSES.thoughts,
    codes: /invalid_encrypted_content/,
    says: /invalid .?signature.? in .?thinking|thought.signature (?:is )?(?:not valid|invalid)|corrupted thought.signature/i,
  },
  {
    cause: CAUSES.filter,
    codes: /content_filter|content_policy|data_inspection_failed/,
    says: /content (?:filtering|management) policy|prompt was flagged|requires moderation|violating our usage policy/i,
    on: REFUSED,
  },
  {
    cause: CAUSES.temperature,
    says: /temperature\W{1,3}(?:is|are) (?:not supported|deprecated)|temperature\W{1,3}does not support|unsupported (?:value|parameter)\W{1,4}temperature|temperature\W{1,3}may only be set/i,
  },
  {
    cause: CAUSES.noTools,
    says: /(?:not|n't) support (?:tools|tool use|tool calling|tool calls|function calling|functions)|endpoints found that support tool use|--enable-auto-tool-choice|function calling is not enabled/i,
    on: REFUSED,
  },
  {
    cause: CAUSES.noFiles,
    says: /(?:not|n't) support (?:image|vision|file|pdf|multimodal)|endpoints found that support (?:image|file)|image_url is only supported|image input is not|not a multimodal model|missing data required for image input/i,
    on: REFUSED,
  },
  {
    cause: CAUSES.overloaded,
    codes: /overloaded|^529$/,
    says: /is (?:currently )?overloaded|server busy|capacity exceeded/i,
    on: BUSY,
  },
  { cause: CAUSES.rate, codes: /rate_limit|resource_exhausted|too_many_requests|^429$/ },
  {
    cause: CAUSES.key,
    codes: /authentication|invalid_api_key|api_key_invalid|unauthenticated|^401$/,
    says: /api key not valid|(?:incorrect|invalid) api key|no auth credentials found|invalid x-api-key/i,
    on: REFUSED,
  },
  {
    cause: CAUSES.model,
    codes: /model_not_found|invalid_model/,
    says: /\bmodels?\b\W{0,3}[\w./:@-]{0,100}\W{0,3}(?:does not exist|(?:is )?not found)|is not a valid model|model not exist|^invalid model|no endpoints found for|^model: /i,
    on: REFUSED,
  },
  {
    cause: CAUSES.access,
    codes: /permission|forbidden|^403$/,
    says: /user location is not supported/i,
  },
]

/** What only a status tells, and a page says more than. */
const ADDRESSES: readonly (readonly [RegExp, Cause])[] = [
  [/not_found|^40[45]$/, CAUSES.address],
  [/^30[12378]$/, CAUSES.moved],
]

/** What the provider means, if that is known; its messages are looked at, but never shown. */
export function findCause({ status, words, messages, isPage }: ProviderError): Cause | undefined {
  const codes = status === undefined ? words : [...words, String(status)]
  const found = SIGNS.find(
    ({ codes: code, says, on = BAD_REQUEST }) =>
      codes.some((word) => code?.test(word)) || (on.has(status) && messages.some((message) => says?.test(message))),
  )
  if (found) return found.cause
  const address = ADDRESSES.find(([sign]) => codes.some((word) => sign.test(word)))?.[1]
  return address && isPage ? CAUSES.page : address
}
