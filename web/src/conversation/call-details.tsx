import type { ReactNode } from 'react'
import type { CallStep } from '../log/round-picture.ts'
import { CodeBox } from '../parts/code-box.tsx'
import { count } from '../parts/format.ts'
import { usePreferences } from '../state/preferences.ts'
import { VisibleText } from '../text/visible-text.tsx'
import { visibleText } from '../text/visible.ts'
import { askedWords, whyOf } from './call-words.ts'
import { Files } from './files.tsx'
import { Later } from './later.tsx'
import { useLiveTurn } from './turn-text.tsx'

interface CallDetailsProps {
  readonly requestId: string
  readonly call: CallStep
  readonly isRunning: boolean
}

/** Everything about a call. */
export function CallDetails({ requestId, call, isRunning }: CallDetailsProps) {
  const { outputs } = usePreferences()
  const { args, raw, approval, submitted, result, reconciled } = call
  return (
    <div className="conv-details column">
      <Detail title={raw === undefined ? 'Arguments' : 'Arguments, which could not be read'}>
        <CodeBox label={`Arguments of ${visibleText(call.name)}`} content={raw ?? args} />
      </Detail>
      {approval && (
        <Detail title="Approval">
          <VisibleText as="p" text={askedWords(approval)} />
        </Detail>
      )}
      {submitted && (
        <Detail title="Answers later">
          <p>
            <Later call={call} />
          </p>
        </Detail>
      )}
      {result?.code !== undefined && (
        <Detail title="Why">
          <p>{whyOf(result.code)}</p>
        </Detail>
      )}
      {reconciled && (
        <Detail title="Settled">
          <p>
            <VisibleText
              text={`${reconciled.late ? 'Its result came late and says' : `${reconciled.by} said`} that it ${reconciled.happened ? 'happened' : 'did not happen'}${reconciled.note ? `: ${reconciled.note}` : '.'}`}
            />
          </p>
        </Detail>
      )}
      {result && <Output call={call} isShown={outputs} />}
      {isRunning && outputs && <LiveOutput requestId={requestId} call={call} />}
      {result && result.files.length > 0 && (
        <Detail title="Files">
          <Files files={result.files} />
        </Detail>
      )}
    </div>
  )
}

function Output({ call, isShown }: { call: CallStep; isShown: boolean }) {
  const { content, chars, cut } = call.result ?? {}
  const length = (content?.length ?? chars ?? 0) + (cut ?? 0)
  if (length === 0) return null
  return (
    <Detail title="Output">
      {isShown && content !== undefined ? (
        <>
          <CodeBox label={`Output of ${visibleText(call.name)}`} content={content} />
          {cut !== undefined && <p className="row conv-quiet">{count(cut)} more characters were left out.</p>}
        </>
      ) : (
        <p className="muted">{count(length)} characters of output. Turn on “Show tool outputs” above to see them.</p>
      )}
    </Detail>
  )
}

function LiveOutput({ requestId, call }: { requestId: string; call: CallStep }) {
  const live = useLiveTurn(requestId, call.turn, true)
  const text = live?.output.get(call.callId) ?? ''
  return text === '' ? null : (
    <Detail title="Output so far">
      <CodeBox label={`Output of ${visibleText(call.name)} so far`} content={text.slice(-4000)} />
    </Detail>
  )
}

function Detail({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h3>{title}</h3>
      {children}
    </section>
  )
}
