import type { Mode } from './outcome.ts'
import type { Quota, ToolCost } from './tool.ts'

/**
 * What the operator says about calls. The first rule that fits decides, and no later one can change that; where none
 * fits, what the tool itself declares does, or nothing: see `otherwise`.
 */
export interface Policy {
  readonly rules?: readonly PolicyRule[]
  /** where no rule fits: `declared` (default) goes by the tool's own word, `deny` refuses */
  readonly otherwise?: 'declared' | 'deny'
  /** what calls of a tool cost and how often they may be made, whatever the tool declares */
  readonly tools?: Readonly<Record<string, { readonly cost?: ToolCost; readonly quota?: Quota }>>
}

/**
 * A rule fits a call if everything it names does. An `allow` is read narrowly (every host, path or command of the call
 * must match, nothing unclear is taken for a match), the others are read widely (one match is enough).
 */
export interface PolicyRule {
  /** `always`: a person looks each time, nothing is remembered */
  readonly decide: 'allow' | 'ask' | 'always' | 'deny'
  /** names of tools; `*` stands for any letters: `github__*` */
  readonly tool?: Patterns
  /** hosts of URLs: `example.org`, `*.example.org` for those below it */
  readonly host?: Patterns
  /** paths in the workspace: `*` within a folder, `**` across folders */
  readonly path?: Patterns
  /** shell commands: `git log *` */
  readonly command?: Patterns
  /** other arguments by name, `a.b` for one within another; `*` stands for any letters */
  readonly args?: Readonly<Record<string, Patterns>>
  readonly mode?: Mode
  /** fits only for who has this permission */
  readonly permission?: string
  readonly workspace?: Patterns
  /** fits only where text from outside was read before, or only where none was */
  readonly tainted?: boolean
  /** told to whoever asks why */
  readonly because?: string
}

export type Patterns = string | readonly string[]
