/** What a form is about: it is what is sent, or is going to be. */
export type Body = Readonly<Record<string, unknown>>
export type Options = readonly (readonly [value: unknown, words: string])[]

/** One field of a form: its words, and where in the body its value is. */
export interface DataField {
  /** as the server calls it, such as `target.url`; the empty one is all of the body */
  readonly path: string
  readonly label: string
  readonly help?: string
  /** `many`: a list of texts; `rows`: names and what they must be; default: a line of text */
  readonly kind?: 'url' | 'secret' | 'long' | 'number' | 'check' | 'json' | 'pick' | 'many' | 'rows'
  readonly needed?: boolean
  readonly placeholder?: string
  /** of `pick` and `many` */
  readonly options?: Options
  /** what can be typed instead of choosing */
  readonly own?: string
  /** counts while nothing else was said */
  readonly otherwise?: unknown
  /** people write dollars and seconds, and this many times as much is sent, as a whole number */
  readonly scale?: number
  readonly min?: number
  readonly max?: number
  readonly step?: 'any'
  /** seldom needed, so it is folded away */
  readonly more?: true
  /** only decides which other fields there are */
  readonly isLocal?: true
}

const isObject = (value: unknown): value is Body => typeof value === 'object' && value !== null && !Array.isArray(value)

export const valueAt = (body: Body, path: string): unknown =>
  path === '' ? body : path.split('.').reduce<unknown>((at, name) => (isObject(at) ? at[name] : undefined), body)

export function withValue(body: Body, path: string, value: unknown): Body {
  if (path === '') return isObject(value) ? value : {}
  const [name = '', ...rest] = path.split('.')
  const inner = body[name]
  return { ...body, [name]: rest.length === 0 ? value : withValue(isObject(inner) ? inner : {}, rest.join('.'), value) }
}

/** What is sent: only what these fields say. */
export const bodyOf = (fields: readonly DataField[], body: Body): Body =>
  fields.reduce<Body>((made, { path, otherwise, isLocal }) => {
    const value = valueAt(body, path) ?? otherwise
    return isLocal || value === undefined ? made : withValue(made, path, value)
  }, {})

/** `null` for what is gone. */
const goneFrom = (before: Body, after: Body): Body =>
  Object.fromEntries(
    Object.keys(before)
      .filter((name) => !(name in after))
      .map((name) => [name, null]),
  )

/** What is different afterwards, with `null` for what is gone, if the server takes that. */
export function changesOf(before: Body, after: Body, takesNull: boolean): Body {
  const changes: Record<string, unknown> = takesNull ? goneFrom(before, after) : {}
  for (const [name, value] of Object.entries(after)) {
    const was = before[name]
    if (JSON.stringify(value) === JSON.stringify(was)) continue
    changes[name] =
      name === 'target' && isObject(was) && isObject(value) ? { ...goneFrom(was, value), ...value } : value
  }
  return changes
}

/** What is wrong with one field, as the server says it. */
export interface Fault {
  readonly field: string
  readonly message: string
}

/** Whether the server means this field; it may name a part of it, or leave out what it is in. */
export const isAbout = (path: string, { field }: Fault): boolean =>
  path === field || field.startsWith(`${path}.`) || path.endsWith(`.${field}`)

/** Beside its field its name need not be repeated. */
export function faultWords({ field, message }: Fault): string {
  const words = message.startsWith(`${field} `) ? message.slice(field.length + 1) : message
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}

/** `pro` is a text, `5` a number, and `"5"` the text 5. */
export function plainValue(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    if (value === null || typeof value !== 'object') return value
  } catch {
    // It is a text as it stands.
  }
  return text
}

/** As `plainValue` reads it. */
export const plainText = (value: unknown): string =>
  typeof value === 'string' && plainValue(value) === value ? value : JSON.stringify(value)

/** An object, or undefined. */
export function readJson(text: string): Body | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
