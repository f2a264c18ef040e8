import { useLayoutEffect, useRef, type MouseEvent } from 'react'
import { Button, IconButton } from '../parts/button.tsx'
import { useStore } from '../state/store.ts'
import { Attached } from './attached.tsx'
import { isComposing } from '../parts/is-composing.ts'
import { composerOf, takesFocus, modeStore } from './drafts.ts'
import type { Unsent } from './unsent.ts'
import { useCaret } from './use-caret.ts'
import { useWritten } from './use-written.ts'

export type Written = Pick<Unsent, 'text' | 'files' | 'mode' | 'onBusy'>

/** So much fills the field, however it is laid out: to measure it would take longer than to type. */
const FULL_CHARS = 10_000

interface ComposerProps {
  readonly sessionId: string | undefined
  /** a round is open: what is sent now waits for it, or interrupts it */
  readonly isBusy?: boolean
  readonly isStopping?: boolean
  /** nothing with an effect may be done here */
  readonly plansOnly?: boolean
  readonly send: (written: Written) => void
  readonly stop?: () => void
  /** Does something that stops what runs, perhaps after a question. */
  readonly interrupt?: (go: () => void) => void
  readonly editLast?: () => void
}

/** Where a message is written. What is in it stays there, also when the page is loaded again. */
export function Composer({
  sessionId,
  isBusy = false,
  isStopping = false,
  plansOnly = false,
  send,
  stop,
  interrupt = (go) => go(),
  editLast,
}: ComposerProps) {
  const place = composerOf(sessionId)
  const field = useRef<HTMLTextAreaElement>(null)
  const chooser = useRef<HTMLInputElement>(null)
  const { text, files, problems, write, attach, remove, clear } = useWritten(place, field)
  const chosen = useStore(modeStore)
  const mode = plansOnly ? 'plan' : chosen
  const isEmpty = text.trim() === '' && files.length === 0
  const give = (onBusy: Written['onBusy']): void => {
    if (isEmpty) return
    send({ text, files, mode, onBusy })
    clear()
    field.current?.focus()
  }

  const stopped = (event: MouseEvent): void => {
    // The button goes away. Whoever pressed it with the keyboard goes on in the field.
    if (event.detail === 0) field.current?.focus()
    stop?.()
  }

  useLayoutEffect(() => {
    const area = field.current
    if (!area) return
    if (text.length > FULL_CHARS) area.style.height = '100vh'
    else {
      area.style.height = 'auto'
      area.style.height = `${area.scrollHeight + 2}px`
    }
  }, [text])
  useCaret(field)
  useLayoutEffect(() => {
    if (takesFocus(place)) field.current?.focus()
  })

  return (
    <form
      className="conv-composer"
      aria-label="Write a message"
      onSubmit={(event) => {
        event.preventDefault()
        give('queue')
      }}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault()
        void attach([...event.dataTransfer.files])
      }}
    >
      <Attached files={files} problems={problems} remove={remove} />
      <textarea
        ref={field}
        className="conv-field-text"
        aria-label="Message"
        placeholder={mode === 'plan' ? 'Message, to plan only' : 'Message'}
        rows={1}
        enterKeyHint="send"
        value={text}
        onChange={(event) => write(event.target.value)}
        onPaste={(event) => {
          if (event.clipboardData.files.length === 0) return
          event.preventDefault()
          void attach([...event.clipboardData.files])
        }}
        onKeyDown={(event) => {
          if (isComposing(event)) return
          if (event.key === 'Enter' && !event.shiftKey) {
            event.preventDefault()
            give('queue')
          } else if (event.key === 'ArrowUp' && text === '') {
            event.preventDefault()
            editLast?.()
          }
        }}
      />
      <div className="conv-composer-row row">
        <IconButton label="Attach files" icon="attach" onClick={() => chooser.current?.click()} />
        <input
          ref={chooser}
          type="file"
          multiple
          hidden
          aria-label="Files to attach"
          onChange={(event) => {
            void attach([...(event.target.files ?? [])])
            event.target.value = ''
          }}
        />
        <Button
          kind="quiet"
          className="conv-toggle"
          aria-pressed={mode === 'plan'}
          title={plansOnly ? 'This conversation tries a draft: plan mode only' : 'Plan: only tools without effects'}
          aria-disabled={plansOnly}
          onClick={() => plansOnly || modeStore.set(mode === 'plan' ? 'act' : 'plan')}
        >
          Plan
        </Button>
        <span className="conv-space" />
        {isBusy && (
          <Button icon="stop" aria-label="Stop" disabled={isStopping} title="Stop" onClick={stopped}>
            <span className="conv-wide-only">{isStopping ? 'Stopping…' : 'Stop'}</span>
          </Button>
        )}
        {isBusy && !isEmpty && (
          <Button title="Stop the answer and send this" onClick={() => interrupt(() => give('interrupt'))}>
            Interrupt
          </Button>
        )}
        {isBusy ? (
          !isEmpty && (
            <button
              type="submit"
              className="button primary"
              aria-label="Send after this"
              title="It waits for its turn (Enter)"
            >
              <span className="conv-wide-only">Send after this</span>
              <span className="conv-narrow-only">After this</span>
            </button>
          )
        ) : (
          <button type="submit" className="button primary" title="Send (Enter)" disabled={isEmpty}>
            Send
          </button>
        )}
      </div>
    </form>
  )
}
