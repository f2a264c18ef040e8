import { useLayoutEffect, useRef } from 'react'
import type { Mode } from '../../../src/contract/outcome.ts'
import { Button, IconButton } from '../parts/button.tsx'
import { useStore } from '../state/store.ts'
import { Attached } from './attached.tsx'
import { isComposing } from '../parts/is-composing.ts'
import { composerOf, isWished, modeStore } from './drafts.ts'
import type { NewFile } from './unsent.ts'
import { useCaret } from './use-caret.ts'
import { useWritten } from './use-written.ts'

export interface Written {
  readonly text: string
  readonly files: readonly NewFile[]
  readonly mode: Mode
  readonly onBusy: 'queue' | 'interrupt'
}

/** So much fills the field, however it is laid out: to measure it would take longer than to type. */
const FULL_CHARS = 10_000

/** Where a message is written. What is in it stays there, also when the page is loaded again. */
export function Composer({
  sessionId,
  isBusy,
  isStopping,
  send,
  stop,
  editLast,
}: {
  sessionId: string | undefined
  /** a round is open: what is sent now waits for it, or interrupts it */
  isBusy: boolean
  isStopping: boolean
  send: (written: Written) => void
  stop: () => void
  editLast: () => void
}) {
  const place = composerOf(sessionId)
  const field = useRef<HTMLTextAreaElement>(null)
  const chooser = useRef<HTMLInputElement>(null)
  const { text, files, problems, write, attach, remove, clear } = useWritten(place, field)
  const mode = useStore(modeStore)
  const isEmpty = text.trim() === '' && files.length === 0
  const give = (onBusy: Written['onBusy']): void => {
    if (isEmpty) return
    send({ text, files, mode, onBusy })
    clear()
    field.current?.focus()
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
    if (isWished(place)) field.current?.focus()
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
            editLast()
          }
        }}
      />
      <div className="conv-composer-row">
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
          title="Plan: only tools without effects"
          onClick={() => modeStore.set(mode === 'plan' ? 'act' : 'plan')}
        >
          Plan
        </Button>
        <span className="conv-space" />
        {isBusy && (
          <Button icon="stop" aria-label="Stop" disabled={isStopping} title="Stop (Esc)" onClick={stop}>
            <span className="conv-wide-only">{isStopping ? 'Stopping…' : 'Stop'}</span>
          </Button>
        )}
        {isBusy && !isEmpty && (
          <Button title="Stop the answer and send this" onClick={() => give('interrupt')}>
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
