import type { Session } from '../../../src/client/index.ts'
import { Problem } from '../parts/attempt.tsx'
import { ago, moment } from '../parts/format.ts'
import { Icon } from '../parts/icon.tsx'
import { hrefOf } from '../state/route.ts'
import { useSession } from '../state/session.ts'
import { VisibleText } from '../text/visible-text.tsx'
import { forkTree, type Branch } from './fork-tree.ts'
import { useReading } from './use-reading.ts'

/** Where this conversation was forked from, and everything that was forked from it. */
export function ForksTab() {
  const { id } = useSession()
  const path = `/api/sessions/${encodeURIComponent(id)}/tree`
  const { value, error } = useReading<{ root: string; items: readonly Session[] }>(path)
  return (
    <>
      <p className="insp-lead">
        A fork shares everything up to an event and goes its own way from there. Nothing is copied, nothing is lost.
      </p>
      <Problem text={error} />
      {value && (
        <ul className="insp-tree plain-list">
          <BranchItem branch={forkTree(value.root, value.items)} currentId={id} />
        </ul>
      )}
      {value?.items.length === 1 && (
        <p className="insp-note">There are no forks yet. Fork from any message, or from an event.</p>
      )}
    </>
  )
}

function BranchItem({ branch: { session, forks }, currentId }: { branch: Branch; currentId: string }) {
  return (
    <li>
      {session ? (
        <a
          className="entry insp-branch"
          href={hrefOf({ page: 'session', id: session.id })}
          aria-current={session.id === currentId ? 'page' : undefined}
        >
          <Icon name={session.parent ? 'fork' : 'right'} size={14} />
          <span>
            <VisibleText text={session.title} />
            <small title={moment(session.createdAt)}>
              {session.parent ? `from event ${session.parent.seq} · ` : ''}
              {ago(session.createdAt)}
              {session.archived ? ' · archived' : ''}
              {session.id === currentId ? ' · this one' : ''}
            </small>
          </span>
        </a>
      ) : (
        <span className="row insp-branch muted">
          <Icon name="trash" size={14} />
          where they came from was deleted
        </span>
      )}
      {forks.length > 0 && (
        <ul className="insp-tree plain-list">
          {forks.map((fork) => (
            <BranchItem key={fork.id} branch={fork} currentId={currentId} />
          ))}
        </ul>
      )}
    </li>
  )
}
