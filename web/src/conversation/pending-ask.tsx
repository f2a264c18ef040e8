import { useEffect } from 'react'
import { readPendingAsks, usePendingAsks } from '../state/pending-asks.ts'
import { AskCard } from './ask-card.tsx'
import { useLasts } from './use-now.ts'

/** The card of an ask that the log tells of, with what the server shows of it. */
export function PendingAsk({ approvalId }: { approvalId: string }) {
  const { value, error } = usePendingAsks()
  const approval = value?.items.find(({ id }) => id === approvalId)
  const lasts = useLasts(approval === undefined, 200)
  useEffect(readPendingAsks, [approvalId])
  if (approval) return <AskCard approval={approval} />
  if (!lasts) return null
  return <p className="conv-quiet">{error ?? 'Reading what it wants to do…'}</p>
}
