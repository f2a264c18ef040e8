import type { EventData } from '../../../src/contract/event.ts'
import { Fold } from '../parts/fold-button.tsx'
import { count } from '../parts/format.ts'
import { Icon } from '../parts/icon.tsx'
import { hrefOf } from '../state/route.ts'
import type { SessionLog } from '../log/session-log.ts'
import { useFollowed, useSession } from '../state/session.ts'
import { Markdown } from '../text/markdown.tsx'
import { VisibleText } from '../text/visible-text.tsx'

/** Where a summary took the place of earlier messages for the model. For people they stay where they are. */
export function SummaryLine({ seq, summary }: { seq: number; summary: EventData['compact.summary'] }) {
  const { id } = useSession()
  const { text, upTo, model, by, saved } = summary
  const isOver = hasLost(useFollowed().log, seq, upTo)
  return (
    <section className="conv-summary" aria-label="Summary for the assistant" data-seq={seq}>
      <Fold
        head={
          <>
            <Icon name="shorten" size={14} />
            <span>
              {isOver
                ? 'A summary that is not used any more: a message it stood for was deleted'
                : 'Earlier messages are summarised for the assistant'}
              {!isOver && saved !== undefined && saved > 0 && ` · ${count(saved)} tokens less`}
            </span>
          </>
        }
      >
        <div className="conv-summary-body">
          <Markdown text={text} />
          <p className="muted">
            {by === undefined ? 'Made when the context was getting full' : <VisibleText text={`Asked for by ${by}`} />}
            {model !== undefined && <VisibleText text={`, written by ${model}`} />}. The messages themselves stay as
            they were.
          </p>
          <a href={hrefOf({ page: 'session', id, seq: upTo })}>Go to the messages it stands for</a>
        </div>
      </Fold>
    </section>
  )
}

/** Whether a message that a summary stood for was deleted afterwards: the model is not told that summary any more. */
const hasLost = ({ deleted, events }: SessionLog, seq: number, upTo: number): boolean =>
  deleted.size > 0 &&
  events.some((event) => event.type === 'message.deleted' && event.seq > seq && (event.data.seq ?? Infinity) <= upTo)
