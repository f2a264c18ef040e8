import type { ReactNode } from 'react'
import type { Page } from '../../../src/client/index.ts'
import { Button } from '../parts/button.tsx'
import { Icon, type IconName } from '../parts/icon.tsx'
import { refresh, type Polled } from '../state/polled.ts'
import { VisibleText } from '../text/visible-text.tsx'

/** The states of a list: loading, failed, out of date, empty, not allowed. */

/** Appears only if loading takes a moment. */
export function Loading() {
  return (
    <div className="op-loading" role="status" aria-label="Loading">
      <div className="skeleton" />
      <div className="skeleton" />
      <div className="skeleton" />
    </div>
  )
}

/** Shown once above everything when the server does not answer. */
export function Trouble({ error }: { error: string }) {
  return (
    <p className="op-trouble row wrap" role="status">
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

/** Shown above a part that could not be read again. */
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
      This needs the permission <code>{permission}</code>, which your key does not have. Whoever runs Segno can make
      one: <code>npx segno keys add NAME --role admin</code>
    </Nothing>
  )
}

/** A list from the server in whatever state it is; `children` shows its items. */
export function PolledList<T>({
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
