import type { Page, Session, WireEvent } from '../../../src/client/index.ts'
import type { SessionLog } from '../log/session-log.ts'
import { hrefWith } from '../operator/filters.ts'
import { Icon } from '../parts/icon.tsx'
import { useGovernedPrompt } from '../state/governed-prompt.ts'
import { usePolled } from '../state/polled.ts'
import { VisibleText } from '../text/visible-text.tsx'

const SELDOM_MS = 600_000

/** The draft of a prompt that a conversation tries, if it was forked for that. */
export function useTriedPrompt({ id, parent }: Session, { first, events }: SessionLog): string | undefined {
  const begins = (parent?.seq ?? 0) + 1
  // The fork may have begun before what is loaded.
  const path = `/api/sessions/${encodeURIComponent(id)}/events?after=${begins - 1}&limit=1`
  const read = usePolled<Page<WireEvent>>(parent && first > begins ? path : null, SELDOM_MS).value?.items
  const fork = [...(read ?? []), ...events].find(({ seq }) => seq === begins)
  return fork?.type === 'session.forked' ? fork.data.promptId : undefined
}

/** Says which draft a conversation tries. */
export function TriedPrompt({ id }: { id: string }) {
  const prompt = useGovernedPrompt(id)
  return (
    <p className="row conv-tries">
      <Icon name="edit" size={14} />
      <span>
        tries{' '}
        <a href={hrefWith('prompts', { id })}>
          {prompt ? <VisibleText text={`draft ${prompt.name} v${prompt.version}`} /> : 'a draft'}
        </a>{' '}
        · plan mode
      </span>
    </p>
  )
}
