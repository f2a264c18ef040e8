import type { ApprovalDisplay, ApprovalView, ShownApproval } from '../contract/views.ts'
import { canonicalJson } from '../lib/canonical-json.ts'
import { oddities, visible, visibleSpaces } from '../lib/visible.ts'

/** An approval as a person should read it: all of it, with nothing hidden in it. */
export function withDisplay(approval: ApprovalView): ShownApproval {
  return { ...approval, display: displayOf(approval) }
}

function displayOf(approval: ApprovalView): ApprovalDisplay {
  const { args, target, rememberable } = approval
  const written = JSON.stringify(args, null, 2)
  // Lines and indents are ours; a line break within a value is written by JSON.
  const lines = written.split('\n').map((line) => {
    const value = line.trimStart()
    return line.slice(0, line.length - value.length) + visibleSpaces(value)
  })
  return {
    target: visibleSpaces(target),
    args: lines.join('\n'),
    warnings: [...new Set([...oddities(target), ...valuesOf(args).flatMap(oddities)])],
    ...(rememberable && { remembers: remembers(approval) }),
  }
}

/** Every word in arguments as JSON writes it, names too; our indents are none of them. */
function valuesOf(value: unknown): string[] {
  if (typeof value === 'string') return [JSON.stringify(value)]
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([name, inner]) => [JSON.stringify(name), ...valuesOf(inner)])
}

/** What is not asked about again. A target may leave open what is done with it, and then that is said. */
function remembers({ tool, args, target }: ApprovalView): string {
  const name = visible(tool)
  if (target === canonicalJson(args)) return `${name} with exactly these arguments`
  const open = notIn(target, args)
  const whatever = open.length === 0 ? 'its other arguments are' : `${open.map(visible).join(' and ')} will be`
  return `every ${name} of this target, whatever ${whatever}; once text from outside was read, only exactly these arguments`
}

/** The arguments a target leaves open. Each part of it stands for one argument only: rather one too many is named. */
function notIn(target: string, args: ApprovalView['args']): string[] {
  let rest = target
  return Object.keys(args).filter((field) => {
    const value = args[field]
    const without = cutOff(rest, typeof value === 'string' ? value : JSON.stringify(value))
    rest = without ?? rest
    return without === undefined
  })
}

/** A target without one of the values it is made of; undefined if this is none. A path may be written otherwise there. */
function cutOff(target: string, value: string): string | undefined {
  if (value === '') return undefined
  if (target === value || (value.includes('/') && nameOf(target) === nameOf(value))) return ''
  if (target.startsWith(`${value} `)) return target.slice(value.length + 1)
  return target.endsWith(` ${value}`) ? target.slice(0, -1 - value.length) : undefined
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)
