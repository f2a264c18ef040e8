import type { ReactNode } from 'react'
import type { CallStep } from '../log/round-picture.ts'
import { count } from '../parts/format.ts'
import { usePreferences } from '../state/preferences.ts'
import { VisibleText } from '../text/visible-text.tsx'
import { visibleText } from '../text/visible.ts'
import { askedWords, whyOf } from './call-words.ts'
import { Files } from './files.tsx'
import { useLiveTurn } from './turn-text.tsx'

/** Everything about a call. */
export function CallDetails({
  sessionId,
  requestId,
  call,
  isRunning,
}: {
  sessionId: string
  requestId: string
  call: CallStep
  isRunning: boolean
}) {
  const { outputs } = usePreferences()
  const { args, raw, approval, result, reconciled } = call
  const why = whyOf(result?.code)
  return (
    <div className="conv-details">
      <Part title={raw === undefined ? 'Arguments' : 'Arguments, which could not be read'}>
        <Box label={`Arguments of ${visibleText(call.name)}`} text={raw ?? JSON.stringify(args, null, 2)} />
      </Part>
      {approval && (
        <Part title="Approval">
          <p>
            <VisibleText text={askedWords(approval)} />
          </p>
        </Part>
      )}
      {result?.code !== undefined && (
        <Part title="Why">
          <p>
            <code>{result.code}</code> {why}
          </p>
        </Part>
      )}
      {reconciled && (
        <Part title="Settled">
          <p>
            <VisibleText
              text={`${reconciled.by} said that it ${reconciled.happened ? 'happened' : 'did not happen'}${reconciled.note ? `: ${reconciled.note}` : '.'}`}
            />
          </p>
        </Part>
      )}
      {result && <Output call={call} isShown={outputs} />}
      {isRunning && outputs && <LiveOutput requestId={requestId} call={call} />}
      {result && result.files.length > 0 && (
        <Part title="Files">
          <Files sessionId={sessionId} files={result.files} />
        </Part>
      )}
    </div>
  )
}

function Output({ call, isShown }: { call: CallStep; isShown: boolean }) {
  const { content, chars, cut } = call.result ?? {}
  const length = (content?.length ?? chars ?? 0) + (cut ?? 0)
  if (length === 0) return null
  return (
    <Part title="Output">
      {isShown && content !== undefined ? (
        <>
          <Box label={`Output of ${visibleText(call.name)}`} text={content} />
          {cut !== undefined && <p className="conv-quiet">{count(cut)} more characters were left out.</p>}
        </>
      ) : (
        <p className="muted">{count(length)} characters of output. Turn on “Show tool outputs” above to see them.</p>
      )}
    </Part>
  )
}

function LiveOutput({ requestId, call }: { requestId: string; call: CallStep }) {
  const live = useLiveTurn(requestId, call.turn, true)
  const text = live?.output.get(call.callId) ?? ''
  return text === '' ? null : (
    <Part title="Output so far">
      <Box label={`Output of ${visibleText(call.name)} so far`} text={text.slice(-4000)} />
    </Part>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h3>{title}</h3>
      {children}
    </section>
  )
}

function Box({ label, text }: { label: string; text: string }) {
  return (
    <pre className="conv-box" tabIndex={0} role="group" aria-label={label} dir="ltr">
      <VisibleText text={text} />
    </pre>
  )
}
