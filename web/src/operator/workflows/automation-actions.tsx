import { useState } from 'react'
import { client } from '../../api/client.ts'
import { Problem, useAttempt } from '../../parts/attempt.tsx'
import { Button } from '../../parts/button.tsx'
import { Question } from '../../parts/question.tsx'
import { visibleText } from '../../text/visible.ts'
import { api, thenRefresh, type Route, type Shown } from './automation.ts'
import { ChangeButton } from './change-button.tsx'
import { OnceSecret } from './once-secret.tsx'

type Deed = 'disable' | 'deprecate' | 'secret' | 'remove'

interface ActionsProps {
  readonly route: Route
  readonly thing: Shown
  /** what it is called here */
  readonly name: string
  /** it signs, so it has a secret that can be renewed */
  readonly signs?: boolean
}

/** Enables, disables with a reason, renews the secret, removes. */
export function Actions({ route, thing, name, signs = false }: ActionsProps) {
  const [asking, ask] = useState<Deed>()
  const [secret, setSecret] = useState<string>()
  const [problem, attempt] = useAttempt()
  const { id, status, revision } = thing
  const isWorkflow = route === 'workflows'
  const setStatus = (to: 'active' | 'disabled', reason?: string): Promise<unknown> => {
    if (route !== 'workflows') return api.setStatus(route, id, { status: to, ...(reason && { reason }) })
    if (to === 'disabled') return api.disableWorkflow(id, reason ?? '')
    return status === 'disabled' ? api.enableWorkflow(id) : api.changeWorkflow(id, { status: to, revision })
  }
  const run = async (deed: Deed, reason: string): Promise<void> => {
    if (deed === 'disable') await setStatus('disabled', reason)
    else if (deed === 'deprecate') await api.changeWorkflow(id, { status: 'deprecated', revision })
    else if (deed === 'secret')
      setSecret((await client.requestJson<{ readonly secret: string }>('POST', `/api/${route}/${id}/secret`)).secret)
    else if (route !== 'workflows') await api.remove(route, id)
  }
  const deeds: readonly Deed[] = [
    ...(status === 'disabled' ? [] : (['disable'] as const)),
    ...(isWorkflow && status === 'active' ? (['deprecate'] as const) : []),
    ...(signs ? (['secret'] as const) : []),
    ...(isWorkflow ? [] : (['remove'] as const)),
  ]
  const shown = visibleText(name)
  return (
    <>
      <div className="row wrap">
        <ChangeButton route={route} thing={thing} name={shown} />
        {status !== 'active' && (
          <Button
            icon="play"
            aria-label={`Enable ${shown}`}
            onClick={() => void attempt(thenRefresh(setStatus('active')))}
          >
            Enable
          </Button>
        )}
        {deeds.map((deed) => {
          const { icon, go } = QUESTIONS[deed]
          return (
            <Button
              key={deed}
              icon={icon}
              {...(deed === 'remove' && { kind: 'danger' as const })}
              aria-label={`${go} ${shown}`}
              onClick={() => ask(deed)}
            >
              {go}…
            </Button>
          )
        })}
      </div>
      <Problem text={problem} />
      {asking && (
        <Question
          title={`${QUESTIONS[asking].go}: ${shown}?`}
          {...QUESTIONS[asking]}
          isHarmless={asking !== 'remove'}
          {...(asking === 'disable' && {
            reason: isWorkflow ? 'Why? People and the assistant are told.' : 'Why (optional)',
            needed: isWorkflow,
          })}
          run={(reason) => thenRefresh(run(asking, reason))}
          onClose={() => ask(undefined)}
        >
          <p>{QUESTIONS[asking].words}</p>
        </Question>
      )}
      {secret !== undefined && <OnceSecret secret={secret} onClose={() => setSecret(undefined)} />}
    </>
  )
}

const QUESTIONS = {
  disable: {
    go: 'Disable',
    icon: 'pause',
    words: 'It starts nothing any more until it is enabled again. What runs goes on.',
  },
  deprecate: {
    go: 'Deprecate',
    icon: 'archive',
    words: 'The assistant is no longer offered it. Triggers, schedules and programs that use it go on.',
  },
  secret: {
    go: 'New secret',
    icon: 'key',
    words: 'The one before stays good until the next, so that the other side can change over in its own time.',
  },
  remove: {
    go: 'Remove',
    icon: 'trash',
    words: 'It is gone with its secret. This cannot be undone.',
  },
} as const
