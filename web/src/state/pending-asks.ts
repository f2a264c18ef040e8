import type { Approval, Page } from '../../../src/client/index.ts'
import { useMayRead } from './me.ts'
import { refresh, usePolled, type Polled } from './polled.ts'

const PATH = '/api/approvals?status=pending&limit=200'

/** The approvals that wait for the user of this page. */
export function usePendingAsks(): Polled<Page<Approval>> {
  return usePolled<Page<Approval>>(useMayRead() ? PATH : null, 3000)
}

export const readPendingAsks = (): void => refresh(PATH)
