import { useEffect, useMemo, useState } from 'react'
import type { Session } from '../../../src/client/index.ts'
import { client } from '../api/client.ts'
import { isSummarising } from '../log/own-asks.ts'
import { roundsIn } from '../log/session-log.ts'
import { useRoute } from '../state/route.ts'
import { useFollowed, useSession } from '../state/session.ts'
import { Announcer } from './announcer.tsx'
import { Composer, type Written } from './composer.tsx'
import { Document, type EndRequest } from './document.tsx'
import { Header } from './header.tsx'
import { drop, post, pump, useOutbox } from './outbox.ts'
import { asksIn } from './round-words.ts'
import { StopDialog, whenSure } from './stopping.tsx'
import { StatusLine } from './status-line.tsx'
import { TriedPrompt, useTriedPrompt } from './tried-prompt.tsx'
import { attempt } from './trouble.ts'
import { notInLog, shownIn } from './unsent.ts'
import { OthersWaiting, UnsentList } from './unsent-list.tsx'
import { useEscape } from './use-escape.ts'
import { WaitingHere } from './waiting-here.tsx'

export function OneConversation({ session }: { session: Session }) {
  const { again } = useSession()
  const { log, status, error } = useFollowed()
  const { id: sessionId } = session
  const route = useRoute()
  const [end, goToEnd] = useState<EndRequest>()
  const [stopping, setStopping] = useState<string>()
  const rounds = useMemo(() => roundsIn(log), [log])
  const tried = useTriedPrompt(session, log)
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
    void attempt(client.cancel(busyWith)).then((isDone) => isDone || setStopping(undefined))
  }
  // What waits for people is never stopped by a key that closes things.
  const mayEscape =
    busyWith !== undefined && (open === undefined || (open.state === 'running' && asksIn(open).length === 0))
  useEscape(mayEscape ? stop : undefined)

  const send = (written: Written): void => {
    post({ ...written, place: { kind: 'session', sessionId }, after: log.last })
    goToEnd({ edit: false })
  }
  return (
    <>
      <Header session={session} last={log.last} />
      {tried !== undefined && <TriedPrompt id={tried} />}
      <StatusLine status={status} error={error} again={again} isSummarising={isSummarising(log.events)} />
      <Document log={log} jumpTo={route} end={end}>
        <UnsentList unsent={unsent} isBusy={open !== undefined} />
        {open && <OthersWaiting sessionId={sessionId} known={mine} />}
        {log.last > 0 && rounds.length === 0 && unsent.length === 0 && log.first <= 1 && (
          <p className="conv-empty">Nothing was said yet.</p>
        )}
      </Document>
      <WaitingHere sessionId={sessionId} />
      <StopDialog />
      <Announcer round={rounds.at(-1)} />
      <Composer
        key={sessionId}
        sessionId={sessionId}
        plansOnly={tried !== undefined}
        isBusy={busyWith !== undefined}
        isStopping={busyWith !== undefined && stopping === busyWith}
        send={send}
        stop={() => whenSure(open, stop)}
        interrupt={(go) => whenSure(open, go)}
        editLast={() => goToEnd({ edit: true })}
      />
    </>
  )
}
