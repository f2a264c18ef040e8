/**
 * What a call would do, for the person who decides about it, made from its arguments. Invisible characters are written as
 * numbers; line breaks are kept.
 */
export type Shown = FileShown | CommandShown | FieldsShown

/** A text that is written to a file. */
export interface FileShown extends Noted {
  readonly kind: 'file'
  readonly path: string
  readonly text: string
  /** the hunks of a unified diff against the file at the time of asking; missing for a new file */
  readonly diff?: string
}

export interface CommandShown extends Noted {
  readonly kind: 'command'
  readonly text: string
  /** in the order of the text; they do not overlap */
  readonly dangers: readonly Danger[]
}

/** Any other call: each value with its path, such as `to[0].name`. */
export interface FieldsShown extends Noted {
  readonly kind: 'fields'
  readonly rows: readonly { readonly name: string; readonly value: string }[]
}

/** A part of a command, and why it is dangerous. */
export interface Danger {
  readonly from: number
  readonly to: number
  readonly why: string
}

interface Noted {
  /** what is not shown, and why */
  readonly note?: string
}
