import { useEffect, useMemo, useState } from 'react'
import type { Session } from '../api/shapes.ts'
import type { SessionLog } from '../log/session-log.ts'
import { cancelRound } from '../sessions/session-actions.ts'
import type { Followed, Follower } from '../state/follow-session.ts'
import { useRoute } from '../state/route.ts'
import { Announcer } from './announcer.tsx'
import { Composer, type Written } from './composer.tsx'
import { Document, type EndWish } from './document.tsx'
import { Header } from './header.tsx'
import { drop, post, pump, useOutbox } from './outbox.ts'
import { StatusLine } from './status-line.tsx'
import { attempt } from './trouble.ts'
import { notInLog, shownIn } from './unsent.ts'
import { OthersWaiting, UnsentList } from './unsent-list.tsx'
import { useEscape } from './use-escape.ts'

export function OneConversation({
  sessionId,
  follower,
  followed,
  session,
}: {
  sessionId: string
  follower: Follower
  followed: Followed
  session: Session
}) {
  const { log, status } = followed
  const route = useRoute()
  const [end, wishEnd] = useState<EndWish>()
  const [stopping, setStopping] = useState<string>()
  const rounds = useMemo(() => roundsOf(log), [log])
  const outbox = useOutbox()
  const mine = useMemo(() => outbox.filter((one) => shownIn(one) === sessionId), [outbox, sessionId])
  const unsent = useMemo(() => notInLog(mine, rounds), [mine, rounds])
  const open = rounds.findLast(({ state }) => state !== 'ended')
  const next = unsent.find(({ state, place }) => state === 'accepted' && place.kind === 'session')
  const busyWith = open?.requestId ?? next?.requestId

  useEffect(() => {
    const arrived = mine.filter((one) => one.requestId !== undefined && !unsent.includes(one))
    if (arrived.length > 0) drop(new Set(arrived.map(({ key }) => key)))
  }, [mine, unsent])
  useEffect(() => {
    if (status === 'live') pump()
  }, [status])

  const stop = (): void => {
    if (busyWith === undefined) return
    setStopping(busyWith)
    void attempt(cancelRound(busyWith)).then((isDone) => isDone || setStopping(undefined))
  }
  useEscape(busyWith === undefined ? undefined : stop)

  const send = (written: Written): void => {
    post({ ...written, place: { kind: 'session', sessionId }, after: log.last })
    wishEnd({ edit: false })
  }
  return (
    <>
      <Header session={session} last={log.last} />
      <StatusLine status={status} error={followed.error} again={follower.again} />
      <Document sessionId={sessionId} follower={follower} log={log} wish={route} end={end}>
        <UnsentList unsent={unsent} isBusy={open !== undefined} />
        {open && <OthersWaiting sessionId={sessionId} known={mine} />}
        {log.last > 0 && rounds.length === 0 && unsent.length === 0 && log.first <= 1 && (
          <p className="conv-empty">Nothing was said yet.</p>
        )}
      </Document>
      <Announcer round={rounds.at(-1)} />
      <Composer
        key={sessionId}
        sessionId={sessionId}
        isBusy={busyWith !== undefined}
        isStopping={busyWith !== undefined && stopping === busyWith}
        send={send}
        stop={stop}
        editLast={() => wishEnd({ edit: true })}
      />
    </>
  )
}

const roundsOf = ({ items }: SessionLog) => items.flatMap((item) => (item.kind === 'round' ? [item.round] : []))
