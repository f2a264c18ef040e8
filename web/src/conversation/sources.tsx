import type { Source } from '../../../src/contract/message.ts'
import { Fold } from '../parts/fold-button.tsx'
import { safeLink } from '../text/safe-link.ts'
import { VisibleText } from '../text/visible-text.tsx'

/** More of them are folded. */
const FEW = 5

/** What an answer refers to. The words are the provider's; where a link really goes stands beside them. */
export function Sources({ sources }: { sources: readonly Source[] }) {
  if (sources.length === 0) return null
  const list = (
    <ol className="conv-sources" aria-label="Sources">
      {sources.map((source, at) => (
        <li key={at}>
          <OneSource {...source} />
        </li>
      ))}
    </ol>
  )
  return sources.length > FEW ? <Fold head={`${sources.length} sources`}>{list}</Fold> : list
}

function OneSource({ url = '', title, mediaType = 'a document' }: Source) {
  const link = safeLink(url)
  const words = <VisibleText text={title ?? (url || mediaType)} />
  if (!link) return words
  return (
    <>
      <a href={link.href} title={link.href} rel="noopener noreferrer nofollow" target="_blank">
        {words}
      </a>{' '}
      {title !== undefined && <VisibleText as="span" className="muted" text={link.place} />}
    </>
  )
}
