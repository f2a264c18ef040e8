import { memo } from 'react'
import type { ModelParams, WireEvent } from '../../../src/client/index.ts'
import { failureOf } from '../log/own-asks.ts'
import { Icon, type IconName } from '../parts/icon.tsx'
import { hrefOf } from '../state/route.ts'
import { VisibleText } from '../text/visible-text.tsx'
import { paramWords } from './param-words.ts'
import { SummaryLine } from './summary-line.tsx'

/** An event of the conversation itself, between its rounds. */
export const EventLine = memo(function EventLine({ event }: { event: WireEvent }) {
  if (event.type === 'compact.summary') return <SummaryLine seq={event.seq} summary={event.data} />
  const line = lineOf(event)
  if (!line) return null
  return (
    <p className="row conv-event" data-seq={event.seq}>
      <Icon name={line.icon} size={14} />
      <span>
        <VisibleText text={line.words} spaces="prose" />
        {event.type === 'session.forked' && (
          <>
            {' '}
            <a href={hrefOf({ page: 'session', id: event.data.parent.sessionId, seq: event.data.parent.seq })}>
              an earlier conversation
            </a>
          </>
        )}
      </span>
    </p>
  )
})

function lineOf(event: WireEvent): { icon: IconName; words: string } | undefined {
  switch (event.type) {
    case 'session.forked':
      return { icon: 'fork', words: 'Forked from' }
    case 'session.archived':
      return { icon: 'archive', words: 'Archived' }
    case 'session.changed':
      return changeOf(event.data)
    case 'context.cleared':
      return { icon: 'cross', words: 'Context cleared: the model is no longer sent what is above.' }
    case 'model.answered': {
      const words = failureOf(event.data)
      return words === undefined ? undefined : { icon: 'warn', words }
    }
    case 'notice':
      return { icon: 'warn', words: event.data.text }
    default:
      return undefined
  }
}

function changeOf(data: {
  model?: string | null
  protocol?: string | null
  archived?: boolean
  params?: ModelParams
}): { icon: IconName; words: string } | undefined {
  if (data.archived !== undefined) return { icon: 'archive', words: data.archived ? 'Archived' : 'Brought back' }
  const words = [
    ...(data.model === undefined ? [] : [data.model === null ? 'the default model' : data.model]),
    ...(data.params === undefined ? [] : [paramWords(data.params) || 'answers as usual']),
    ...(data.protocol === undefined ? [] : [`the ${data.protocol ?? 'default'} protocol`]),
  ]
  return words.length === 0 ? undefined : { icon: 'tool', words: `From here on: ${words.join(', ')}` }
}
