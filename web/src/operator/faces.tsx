import type { ReactNode } from 'react'
import type { Page } from '../api/shapes.ts'
import { Button } from '../parts/button.tsx'
import { Icon, type IconName } from '../parts/icon.tsx'
import { refresh, type Polled } from '../state/polled.ts'
import { VisibleText } from '../text/visible-text.tsx'

/** What a page shows when it has nothing else to show. */

/** Comes only if it takes a moment. */
export function Loading() {
  return (
    <div className="op-loading" role="status" aria-label="Loading">
      <div className="skeleton" />
      <div className="skeleton" />
      <div className="skeleton" />
    </div>
  )
}

/** The server does not answer. Said once, above everything. */
export function Trouble({ error }: { error: string }) {
  return (
    <p className="op-trouble" role="status">
      <Icon name="warn" />
      <span>
        <VisibleText text={error} /> This page tries again by itself.
      </span>
      <Button kind="quiet" icon="retry" onClick={() => refresh('')}>
        Try now
      </Button>
    </p>
  )
}

/** This part could not be read, or not again. */
export function Stale({ error }: { error: string }) {
  const [reason = ''] = error.split('. ')
  return (
    <p className="op-stale muted">
      <Icon name="warn" />
      <span>
        Not up to date: <VisibleText text={reason.replace(/\.$/, '')} />.
      </span>
    </p>
  )
}

export function Nothing({ icon = 'check', children }: { icon?: IconName; children: ReactNode }) {
  return (
    <p className="op-nothing muted">
      <Icon name={icon} size={20} />
      <span>{children}</span>
    </p>
  )
}

export function NotAllowed({ permission }: { permission: string }) {
  return (
    <Nothing icon="key">
      This needs the permission <code>{permission}</code>, which your key does not have. Who runs Segno can make one:{' '}
      <code>npx segno keys add NAME --role admin</code>
    </Nothing>
  )
}

/** A list from the server in whatever state it is; `children` shows its items. */
export function Listed<T>({
  list: { value, error },
  empty,
  children,
}: {
  list: Polled<Page<T>>
  empty: ReactNode
  children: (items: readonly T[]) => ReactNode
}) {
  return (
    <>
      {error !== undefined && <Stale error={error} />}
      {value === undefined && error === undefined && <Loading />}
      {value && (value.items.length === 0 ? empty : children(value.items))}
    </>
  )
}
