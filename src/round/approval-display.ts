import type { ApprovalDisplay, ApprovalView, ShownApproval } from '../contract/views.ts'
import { oddities, visible } from '../lib/visible.ts'

/** An approval as a person should read it: all of it, with nothing hidden in it. */
export function withDisplay(approval: ApprovalView): ShownApproval {
  return { ...approval, display: displayOf(approval) }
}

function displayOf({ args, target }: ApprovalView): ApprovalDisplay {
  const written = JSON.stringify(args, null, 2)
  return {
    target: visible(target),
    // Lines and indents are ours; a line break within a value is written by JSON.
    args: written.split('\n').map(visible).join('\n'),
    warnings: [...new Set([...oddities(target), ...oddities(written)])],
  }
}
