import type { JsonObject } from '../../contract/message.ts'
import type { Shown } from '../../contract/shown.ts'
import type { ApprovalView } from '../../contract/views.ts'

export interface ApprovalRow extends Omit<
  ApprovalView,
  'args' | 'rememberable' | 'isQuestion' | 'shown' | 'decidedBy'
> {
  place: number
  args: string
  rememberable: number
  isQuestion: number
  shown: string | null
  decidedBy: string | null
}

export const approvalView = ({ place: _, shown, decidedBy, ...row }: ApprovalRow): ApprovalView => ({
  ...row,
  args: JSON.parse(row.args) as JsonObject,
  rememberable: row.rememberable === 1,
  isQuestion: row.isQuestion === 1,
  ...(shown !== null && { shown: JSON.parse(shown) as Shown }),
  ...(decidedBy !== null && { decidedBy }),
})
