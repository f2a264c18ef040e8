import { useEffect } from 'react'
import type { Approval, Page } from '../api/shapes.ts'
import { refresh, usePolled } from '../state/polled.ts'
import { AskCard } from './ask-card.tsx'
import { useLasts } from './use-now.ts'

export const PENDING = '/api/approvals?status=pending&limit=200'

/** The card of an ask that the log tells of, with what the server shows of it. */
export function PendingAsk({ approvalId }: { approvalId: string }) {
  const { value, error } = usePolled<Page<Approval>>(PENDING, 5000)
  const approval = value?.items.find(({ id }) => id === approvalId)
  const lasts = useLasts(approval === undefined, 200)
  useEffect(() => refresh(PENDING), [approvalId])
  if (approval) return <AskCard approval={approval} />
  if (!lasts) return null
  return <p className="conv-quiet">{error ?? 'Reading what it wants to do…'}</p>
}
