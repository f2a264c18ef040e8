import { invalidField, type Problem } from '../../contract/problem.ts'

/** A field or a file of a form. */
export interface FormPart {
  readonly name: string
  readonly fileName?: string
  readonly contentType?: string
  readonly bytes: Buffer
}

const MOST_PARTS = 10
const HEAD_BYTES = 4096
const LINE_END = '\r\n'
const HEAD_END = '\r\n\r\n'

/** The parts of a `multipart/form-data` body. Only what browsers and programs really send is understood. */
export function readMultipart(body: Buffer, contentType: string): FormPart[] {
  const boundary = parametersOf(contentType).get('boundary') ?? ''
  if (boundary === '' || boundary.length > 70) throw malformed('its content-type has no boundary')
  const mark = `--${boundary}`
  const parts: FormPart[] = []
  let at = body.indexOf(mark)
  if (at < 0) throw malformed('it does not have the boundary of its content-type')
  for (;;) {
    at += Buffer.byteLength(mark)
    const next = body.toString('latin1', at, at + 2)
    if (next === '--') return parts
    if (next !== LINE_END) throw malformed('something stands behind a boundary')
    if (parts.length === MOST_PARTS) throw malformed(`it has more than ${MOST_PARTS} parts`)
    const from = at + LINE_END.length
    const headEnd = body.subarray(from, from + HEAD_BYTES).indexOf(HEAD_END)
    if (headEnd < 0) throw malformed('the head of a part is missing or too long')
    const start = from + headEnd + HEAD_END.length
    const end = body.indexOf(LINE_END + mark, start)
    if (end < 0) throw malformed('its last boundary is missing')
    parts.push({ ...headOf(body.toString('utf8', from, from + headEnd)), bytes: body.subarray(start, end) })
    at = end + LINE_END.length
  }
}

const malformed = (why: string): Problem =>
  invalidField('body', `is no form that can be read: ${why}. Send multipart/form-data, as browsers and curl -F do`)

function headOf(head: string): Omit<FormPart, 'bytes'> {
  const fields = new Map(
    head.split(LINE_END).map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()] as const
    }),
  )
  const told = parametersOf(fields.get('content-disposition') ?? '')
  const name = told.get('name')
  if (name === undefined) throw malformed('a part has no name')
  const fileName = told.get('filename')
  const contentType = fields.get('content-type')
  return {
    name,
    ...(fileName !== undefined && { fileName }),
    ...(contentType !== undefined && { contentType }),
  }
}

/** The parameters of a header, such as `form-data; name="file"`. */
function parametersOf(header: string): Map<string, string> {
  const found = new Map<string, string>()
  let at = header.indexOf(';')
  while (at >= 0) {
    const equals = header.indexOf('=', at)
    if (equals < 0) break
    const name = header
      .slice(at + 1, equals)
      .trim()
      .toLowerCase()
    const { value, end } = valueAt(header, equals + 1)
    found.set(name, value)
    at = header.indexOf(';', end)
  }
  return found
}

/** A word, or a text in quotes; some programs put a backslash before a quote, and browsers write %22 for it. */
function valueAt(header: string, from: number): { value: string; end: number } {
  if (header.charAt(from) !== '"') {
    const semicolon = header.indexOf(';', from)
    const end = semicolon < 0 ? header.length : semicolon
    return { value: header.slice(from, end).trim(), end }
  }
  let value = ''
  let at = from + 1
  for (; at < header.length && header.charAt(at) !== '"'; at += 1) {
    if (header.charAt(at) === '\\' && '"\\'.includes(header.charAt(at + 1))) at += 1
    value += header.charAt(at)
  }
  return { value: value.replaceAll('%22', '"').replaceAll('%0D', '\r').replaceAll('%0A', '\n'), end: at + 1 }
}
