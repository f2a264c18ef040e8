import { useState } from 'react'
import type { Page, PromptView } from '../../../src/client/index.ts'
import type { Message } from '../../../src/contract/message.ts'
import { Button } from '../parts/button.tsx'
import { CodeBox } from '../parts/code-box.tsx'
import { count } from '../parts/format.ts'
import { Problem } from '../parts/attempt.tsx'
import { useSession } from '../state/session.ts'
import { VisibleText } from '../text/visible-text.tsx'
import { visibleText } from '../text/visible.ts'
import { Id } from './facts.tsx'
import { PromptFold } from './prompt-fold.tsx'
import { useReading } from './use-reading.ts'

/** What the model would be sent now: the system prompt layer by layer, the conversation, the tools. */
export function PromptNow() {
  const { id } = useSession()
  const path = `/api/sessions/${encodeURIComponent(id)}`
  const prompt = useReading<PromptView>(`${path}/prompt`)
  const messages = useReading<Page<Message>>(`${path}/messages`)
  const tools = useReading<Page<{ name: string; description: string }>>('/api/tools')
  const error = prompt.error ?? messages.error ?? tools.error
  return (
    <>
      <Problem text={error} />
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
        <PromptFold key={name} head={<VisibleText text={name} />}>
          <VisibleText as="p" className="insp-words" text={description} />
        </PromptFold>
      ))}
    </>
  )
}

const tokensOf = ({ layers }: PromptView): number => layers.reduce((sum, layer) => sum + layer.tokens, 0)

function Layers({ prompt: { layers } }: { prompt: PromptView }) {
  return (
    <ol className="plain-list">
      {layers.map(({ name, text, tokens, hash }) => (
        <li key={name}>
          <PromptFold head={<VisibleText text={name} />} note={`${count(tokens)} tokens`}>
            <span className="insp-hash">
              Hash <Id name={`the hash of ${visibleText(name)}`} value={hash} short={12} />
            </span>
            <CodeBox label={`Text of ${visibleText(name)}`} content={text} spaces="prose" />
          </PromptFold>
        </li>
      ))}
    </ol>
  )
}

const STEP = 30

function Conversation({ items }: { items: readonly Message[] }) {
  const [shown, setShown] = useState(STEP)
  const first = Math.max(0, items.length - shown)
  if (items.length === 0) return <p className="insp-note">Empty: nothing was said, or the context was cleared.</p>
  return (
    <>
      {first > 0 && <Button onClick={() => setShown(shown + STEP)}>Show {Math.min(STEP, first)} earlier ones</Button>}
      <ol className="plain-list" start={first + 1}>
        {items.slice(first).map((message, index) => (
          <li key={first + index}>
            <PromptFold head={roleOf(message)} gist={gistOf(message)}>
              {message.content.map((part, place) => (
                <PromptPart key={place} part={part} />
              ))}
            </PromptFold>
          </li>
        ))}
      </ol>
    </>
  )
}

/** Results of tools are sent as a user's message: say so. */
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

const KINDS = { text: 'text', reasoning: 'reasoning', tool_result: 'result of a tool', file: 'file' } as const

function PromptPart({ part }: { part: Message['content'][number] }) {
  const text =
    part.type === 'text' || part.type === 'reasoning'
      ? part.text
      : part.type === 'tool_result'
        ? part.content
        : part.type === 'tool_use'
          ? (part.raw ?? JSON.stringify(part.input, null, 2))
          : `${part.mediaType}, ${part.bytes} bytes, ${part.hash}`
  const name = part.type === 'tool_use' ? `call of ${part.name}` : KINDS[part.type]
  return (
    <>
      <p className="insp-part">
        <VisibleText text={name} />
        {part.type === 'tool_result' && part.is_error && ' (an error)'}
      </p>
      <CodeBox label={visibleText(name)} content={text} spaces="prose" />
    </>
  )
}
