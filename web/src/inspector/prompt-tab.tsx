import { useState } from 'react'
import type { Message } from '../../../src/contract/message.ts'
import type { Messages, Page, Prompt } from '../api/shapes.ts'
import { Button } from '../parts/button.tsx'
import { count } from '../parts/format.ts'
import { useFollowed, useSession } from '../state/session.ts'
import { VisibleText } from '../text/visible-text.tsx'
import { visibleText } from '../text/visible.ts'
import { Id } from './facts.tsx'
import { Fold } from './fold.tsx'
import { lastRest } from './rounds.ts'
import { useReading } from '../state/polled.ts'

/** What the model would be sent now: the system prompt layer by layer, the conversation, the tools. */
export function PromptTab() {
  const { session, log } = useFollowed(useSession())
  const path = `/api/sessions/${encodeURIComponent(session?.id ?? '')}`
  const version = lastRest(log)
  const prompt = useReading<Prompt>(`${path}/prompt`, version)
  const messages = useReading<Messages>(`${path}/messages`, version)
  const tools = useReading<Page<{ name: string; description: string }>>('/api/tools', version)
  const error = prompt.error ?? messages.error ?? tools.error
  return (
    <>
      <p className="insp-lead">What the model would be sent now, if you said something.</p>
      {error !== undefined && <p className="insp-error">{error}</p>}
      <h3 className="insp-title">
        System prompt{prompt.value && <small>{count(tokensOf(prompt.value))} tokens</small>}
      </h3>
      {prompt.value && <Layers prompt={prompt.value} />}
      <h3 className="insp-title">
        Conversation{messages.value && <small>{messages.value.items.length} messages</small>}
      </h3>
      {messages.value && <Conversation items={messages.value.items} />}
      <h3 className="insp-title">Tools{tools.value && <small>{tools.value.items.length} offered</small>}</h3>
      {tools.value?.items.map(({ name, description }) => (
        <Fold key={name} head={<VisibleText text={name} />}>
          <p className="insp-words">
            <VisibleText text={description} />
          </p>
        </Fold>
      ))}
    </>
  )
}

const tokensOf = ({ layers }: Prompt): number => layers.reduce((sum, layer) => sum + layer.tokens, 0)

function Layers({ prompt: { layers } }: { prompt: Prompt }) {
  return (
    <ol className="insp-list">
      {layers.map(({ name, text, tokens, hash }) => (
        <li key={name}>
          <Fold head={<VisibleText text={name} />} note={`${count(tokens)} tokens`}>
            <span className="insp-hash">
              Hash <Id name={`the hash of ${visibleText(name)}`} value={hash} short={12} />
            </span>
            <pre className="insp-json" tabIndex={0} aria-label={`Text of ${visibleText(name)}`}>
              <VisibleText text={text} spaces="prose" />
            </pre>
          </Fold>
        </li>
      ))}
    </ol>
  )
}

const STEP = 30

function Conversation({ items }: { items: Messages['items'] }) {
  const [shown, setShown] = useState(STEP)
  const first = Math.max(0, items.length - shown)
  if (items.length === 0) return <p className="insp-note">Empty: nothing was said, or the context was cleared.</p>
  return (
    <>
      {first > 0 && <Button onClick={() => setShown(shown + STEP)}>Show {Math.min(STEP, first)} earlier ones</Button>}
      <ol className="insp-list" start={first + 1}>
        {items.slice(first).map((message, index) => (
          <li key={first + index}>
            <Fold head={roleOf(message)} gist={gistOf(message)}>
              {message.content.map((part, place) => (
                <Part key={place} part={part} />
              ))}
            </Fold>
          </li>
        ))}
      </ol>
    </>
  )
}

/** Results of tools are sent in the place of a user's message; people should see what it is. */
const roleOf = ({ role, content }: Message): string =>
  content.some(({ type }) => type === 'tool_result') ? `${role}: results` : role

const gistOf = ({ content }: Message): string =>
  content
    .map((part) => {
      if (part.type === 'text' || part.type === 'reasoning') return part.text.slice(0, 80)
      if (part.type === 'tool_use') return `calls ${part.name}`
      return part.type === 'file' ? part.mediaType : part.content.slice(0, 80)
    })
    .join(' · ')

function Part({ part }: { part: Message['content'][number] }) {
  const text =
    part.type === 'text' || part.type === 'reasoning'
      ? part.text
      : part.type === 'tool_result'
        ? part.content
        : part.type === 'tool_use'
          ? (part.raw ?? JSON.stringify(part.input, null, 2))
          : `${part.mediaType}, ${part.bytes} bytes, ${part.hash}`
  const name = part.type === 'tool_use' ? `tool_use ${part.name}` : part.type
  return (
    <>
      <p className="insp-part">
        <VisibleText text={name} />
        {part.type === 'tool_result' && part.is_error && ' (an error)'}
      </p>
      <pre className="insp-json" tabIndex={0} aria-label={part.type}>
        <VisibleText text={text} spaces="prose" />
      </pre>
    </>
  )
}
