import type { Mode, Verdict } from './outcome.ts'
import type { Quota, ToolCost } from './tool.ts'

/** The operator's rules for calls; the first that matches decides, and without a match `otherwise`. */
export interface Policy {
  readonly rules?: readonly PolicyRule[]
  /** without a match: `declared` (default) uses the tool's own declaration, `deny` refuses */
  readonly otherwise?: 'declared' | 'deny'
  /** costs and quotas that override what tools declare */
  readonly tools?: Readonly<Record<string, { readonly cost?: ToolCost; readonly quota?: Quota }>>
}

/**
 * A rule matches if everything it names does. An `allow` is strict (every host, path or command must match), the others
 * need one match.
 */
export interface PolicyRule {
  /** `always`: a person decides each time, and nothing is remembered */
  readonly decide: 'allow' | 'ask' | 'always' | 'deny'
  /** names of tools; `*` matches any letters: `github__*` */
  readonly tool?: Patterns
  /** hosts of URLs: `example.org`, `*.example.org` for those below it */
  readonly host?: Patterns
  /** paths in the workspace: `*` within a folder, `**` across folders */
  readonly path?: Patterns
  /** shell commands: `git log *` */
  readonly command?: Patterns
  /** other arguments by name, `a.b` for nested ones; `*` matches any letters */
  readonly args?: Readonly<Record<string, Patterns>>
  readonly mode?: Mode
  /** matches only actors with this permission */
  readonly permission?: string
  readonly workspace?: Patterns
  /** matches only after foreign text was read, or only before */
  readonly tainted?: boolean
  /** shown as the reason */
  readonly because?: string
}

export type Patterns = string | readonly string[]

/** Cost in micro-dollars. With `unknown` a person is asked, `failed` is refused; a budget refuses `unknown` and `unpriced`. */
export interface Estimate {
  readonly cost: number
  /** tokens of a model that the tool asks */
  readonly tokens: number
  /** how long it may take at most, in milliseconds */
  readonly latencyMs: number
  readonly confidence: 'exact' | 'estimate' | 'unknown' | 'unpriced' | 'failed'
}

/** Why the gate would decide as it does. */
export interface Explanation {
  readonly verdict: Verdict
  /** the step of the gate that decides */
  readonly decidedBy: string
  /** the reason of the policy or, without a matching rule, of the tool */
  readonly because: string
  /** the numbers of all matching rules; only the first one counts */
  readonly fitting: readonly number[]
  /** missing for a call that could not run anyway */
  readonly estimate?: Estimate
}
