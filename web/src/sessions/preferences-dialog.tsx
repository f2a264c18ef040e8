import { useEffect, useState } from 'react'
import {
  FORMALITIES,
  MOST_INSTRUCTION_CHARS,
  RESPONSE_LENGTHS,
  type Preferences,
} from '../../../src/contract/preferences.ts'
import { client } from '../api/client.ts'
import { Form } from '../parts/form.tsx'
import { Problem, useAttempt } from '../parts/attempt.tsx'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Check, Choice } from '../parts/form-fields.tsx'
import { Question } from '../parts/question.tsx'
import { VisibleText } from '../text/visible-text.tsx'
import { takenOut } from './taken-out.ts'

const PATH = '/api/preferences'

/** What the user wants of every answer, in every conversation. */
export function PreferencesDialog({ onClose }: { onClose: () => void }) {
  const [wanted, want] = useState<Preferences>()
  const [news, setNews] = useState<{ readonly words: string; readonly missing?: string }>()
  const [isForgetting, setForgetting] = useState(false)
  const [problem, attempt] = useAttempt()
  const isLong = (wanted?.customInstructions?.length ?? 0) > MOST_INSTRUCTION_CHARS
  useEffect(() => {
    void attempt(client.requestJson<Preferences>('GET', PATH).then(want))
    // oxlint-disable-next-line react/exhaustive-deps -- once
  }, [])

  const save = async (given: Preferences): Promise<void> => {
    setNews(undefined)
    const stored = await client.requestJson<Preferences>('PUT', PATH, { body: set(given) })
    want(stored)
    const missing = takenOut(given.customInstructions ?? '', stored.customInstructions ?? '')
    setNews({ words: 'Saved. It counts from your next message on.', missing })
  }
  const forget = async (): Promise<void> => {
    await client.requestEmpty('DELETE', PATH)
    want({})
    setNews({ words: 'Everything was forgotten.' })
  }

  if (isForgetting)
    return (
      <Question
        title="Forget all your preferences?"
        keep="Keep them"
        go="Forget them"
        icon="trash"
        run={forget}
        onClose={() => setForgetting(false)}
      >
        <p>
          They are deleted, and your own words are also erased from the prompts that were sent before: how those read
          can then not be shown any more. This cannot be undone.
        </p>
      </Question>
    )
  return (
    <Dialog title="Preferences" onClose={onClose}>
      <p className="muted">What you want of every answer, in all your conversations. Only you see it.</p>
      <Form
        className="dialog-form column"
        label="Preferences"
        run={() => {
          if (wanted && !isLong) void attempt(save(wanted))
        }}
      >
        {wanted && <Fields wanted={wanted} want={want} />}
        <div role="status">
          {news && <p className="ok">{news.words}</p>}
          {news?.missing && (
            <p className="side-missing">
              Taken out of your instructions, because nobody can see it or it looks like Segno’s own marks:{' '}
              <VisibleText as="code" text={news.missing} spaces="prose" />
            </p>
          )}
        </div>
        <Problem text={problem} />
        {wanted && (
          <div className="answers row wrap">
            {Object.keys(set(wanted)).length > 0 && (
              <Button kind="danger" icon="trash" onClick={() => setForgetting(true)}>
                Forget all…
              </Button>
            )}
            <Button kind="primary" type="submit" disabled={isLong}>
              Save
            </Button>
          </div>
        )}
      </Form>
    </Dialog>
  )
}

/** Without what is not set. */
function set({ customInstructions, ...rest }: Preferences): Preferences {
  const words = customInstructions?.trim() ? { customInstructions } : {}
  return Object.fromEntries(Object.entries({ ...rest, ...words }).filter(([, value]) => value !== undefined))
}

interface FieldsProps {
  readonly wanted: Preferences
  readonly want: (wanted: Preferences) => void
}

function Fields({ wanted, want }: FieldsProps) {
  const { customInstructions: words = '', allowMemory = false, allowWebSearch = true } = wanted
  return (
    <>
      <div className="dialog-two">
        <Choice
          label="Length of answers"
          options={RESPONSE_LENGTHS}
          value={wanted.responseLength}
          choose={(responseLength) => want({ ...wanted, responseLength } as Preferences)}
        />
        <Choice
          label="Tone"
          options={FORMALITIES}
          value={wanted.formality}
          choose={(formality) => want({ ...wanted, formality } as Preferences)}
        />
      </div>
      <label>
        Your own instructions
        <textarea
          className="input"
          rows={5}
          aria-describedby="side-chars"
          value={words}
          onChange={(event) => want({ ...wanted, customInstructions: event.target.value })}
        />
      </label>
      <small id="side-chars" className={words.length > MOST_INSTRUCTION_CHARS ? 'danger' : ''}>
        {words.length} of {MOST_INSTRUCTION_CHARS} characters
        {words.length > MOST_INSTRUCTION_CHARS && ': too long to be saved'}
      </small>
      <Check
        label="Segno may remember things about me"
        is={allowMemory}
        set={(allow) => want({ ...wanted, allowMemory: allow })}
      />
      <Check
        label="Segno may look things up on the web"
        is={allowWebSearch}
        set={(allow) => want({ ...wanted, allowWebSearch: allow })}
      />
    </>
  )
}
