import { useState } from 'react'
import { changeParams, type ModelParams } from '../../../src/contract/model-params.ts'
import type { Protocol } from '../../../src/contract/outcome.ts'
import { Button } from '../parts/button.tsx'
import { useMe } from '../state/me.ts'
import { VisibleText } from '../text/visible-text.tsx'
import { Composer, type Written } from './composer.tsx'
import { modeStore } from './drafts.ts'
import { SidebarButton } from './header.tsx'
import { post, useOutbox } from './outbox.ts'
import { StatusLine } from './status-line.tsx'
import { AnswerMenu } from './answer-menu.tsx'
import { ModelMenu, ProtocolMenu } from './switches.tsx'
import { newKey, titleOf, type Place } from './unsent.ts'
import { UnsentList } from './unsent-list.tsx'

const STARTERS = {
  scripted: [
    ['Take the tour', 'tour'],
    ['What is 17 * 23?', 'What is 17 * 23?'],
    ['Tell me a long story', 'Tell me a long story'],
    ['What time is it?', 'What time is it?'],
  ],
  real: [
    ['What can you do here?', 'What can you do here? Which tools do you have?'],
    ['What time is it?', 'What time is it?'],
    ['What is in this folder?', 'What is in the folder of this workspace?'],
    ['Help me think something through', 'Help me think something through. Ask me about it first.'],
  ],
} as const

/** The start page: choose a model, begin with a suggestion or write. */
export function NewConversation() {
  const [model, setModel] = useState<string>()
  const [protocol, setProtocol] = useState<Protocol>()
  const [params, setParams] = useState<ModelParams>({})
  const me = useMe()
  const waiting = useOutbox().filter(({ place }) => place.kind === 'new')
  const used = model ?? me?.model
  const isScripted = used?.split(':')[0] === 'scripted'
  // A second message sent before the first has arrived goes into the same new conversation.
  const begun = waiting.findLast(({ state }) => state !== 'refused')?.place
  const send = (written: Written, title = titleOf(written.text, written.files)): void => {
    const place: Place = {
      kind: 'new',
      key: newKey(),
      title,
      ...(model !== undefined && { model }),
      ...(protocol !== undefined && { protocol }),
      ...params,
    }
    post({ ...written, after: 0, place: begun ?? place })
  }
  return (
    <>
      <header className="conv-header row">
        <SidebarButton />
        <span className="conv-space" />
        <ModelMenu model={model} choose={(next) => setModel(next ?? undefined)} />
        <AnswerMenu model={model} params={params} change={(changes) => setParams(changeParams(params, changes))} />
        <ProtocolMenu protocol={protocol} choose={(next) => setProtocol(next ?? undefined)} />
      </header>
      <StatusLine status="live" />
      <div className="conv-start">
        <div className="conv-start-inner column">
          <h1>What shall we do?</h1>
          {me && used !== undefined && (
            <p className="muted">
              {isScripted ? (
                <>
                  No key is set, so a scripted model answers: it shows what Segno does. Set{' '}
                  <code>ANTHROPIC_API_KEY</code> (or another provider’s key) and start again for a real one.{' '}
                  <code>npx segno doctor</code> tells what is set up.
                </>
              ) : (
                <>
                  <VisibleText text={used} /> answers.
                </>
              )}
            </p>
          )}
          {me && waiting.length === 0 && (
            <div className="conv-starters" role="group" aria-label="Ways to begin">
              {STARTERS[isScripted ? 'scripted' : 'real'].map(([label, text]) => (
                <Button
                  key={label}
                  onClick={() => send({ text, files: [], mode: modeStore.get(), onBusy: 'queue' }, label)}
                >
                  {label}
                </Button>
              ))}
            </div>
          )}
          <UnsentList unsent={waiting} isBusy={false} />
        </div>
      </div>
      <Composer key="new" sessionId={undefined} send={send} />
    </>
  )
}
