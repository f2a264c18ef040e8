import type { ApprovalDisplay, ApprovalView, ShownApproval } from '../contract/views.ts'
import { canonicalJson } from '../lib/canonical-json.ts'
import { fieldsOf, readable } from '../tool/index.ts'
import { textWarnings, visible, visibleSpaces } from '../lib/visible.ts'

/** An approval as it is shown to a person, complete and without invisible characters. */
export function withDisplay(approval: ApprovalView): ShownApproval {
  const { shown: _, ...view } = approval
  return { ...view, display: displayOf(approval) }
}

function displayOf(approval: ApprovalView): ApprovalDisplay {
  const { args, target, rememberable, isQuestion } = approval
  const written = JSON.stringify(args, null, 2)
  // Line breaks and indents are ours; those within values are escaped by JSON.
  const lines = written.split('\n').map((line) => {
    const value = line.trimStart()
    return line.slice(0, line.length - value.length) + visibleSpaces(value)
  })
  const warnings = [...new Set([...textWarnings(target), ...valuesOf(args).flatMap(textWarnings)])]
  return {
    target: visibleSpaces(target),
    shown: approval.shown ?? readable(fieldsOf(args)),
    args: lines.join('\n'),
    warnings,
    isDangerous: !isQuestion && (!rememberable || warnings.length > 0),
    ...(rememberable && { remembers: remembers(approval) }),
  }
}

/** All names and strings in the arguments as JSON, without indents. */
function valuesOf(value: unknown): string[] {
  if (typeof value === 'string') return [JSON.stringify(value)]
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([name, inner]) => [JSON.stringify(name), ...valuesOf(inner)])
}

/** What "for this session" covers, including the arguments that the target does not fix. */
function remembers({ tool, args, target }: ApprovalView): string {
  const name = visible(tool)
  if (target === canonicalJson(args)) return `${name} with exactly these arguments`
  const open = notIn(target, args)
  const whatever = open.length === 0 ? 'its other arguments are' : `${open.map(visible).join(' and ')} will be`
  return `every ${name} of this target, whatever ${whatever}; once text from outside was read, only exactly these arguments`
}

/** The arguments that are not part of the target; each part of it stands for one argument only. */
function notIn(target: string, args: ApprovalView['args']): string[] {
  let rest = target
  const isOpen = (field: string): boolean => {
    const value = args[field]
    const without = cutOff(rest, typeof value === 'string' ? value : JSON.stringify(value))
    rest = without ?? rest
    return without === undefined
  }
  // What stood between others is at an end the second time.
  return Object.keys(args).filter(isOpen).filter(isOpen)
}

/** The target without this value, undefined if it does not contain it; paths may be spelled differently. */
function cutOff(target: string, value: string): string | undefined {
  if (value === '') return undefined
  const [before, after] = [target.slice(0, -value.length), target.slice(value.length)]
  if (target.startsWith(value) && /^\s/.test(after)) return after.trimStart()
  if (target.endsWith(value) && /\s$/.test(before)) return before.trimEnd()
  return target === value || (value.includes('/') && nameOf(target) === nameOf(value)) ? '' : undefined
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)
