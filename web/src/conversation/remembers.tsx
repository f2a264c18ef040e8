import type { Suggestion } from '../../../src/contract/event.ts'
import { hrefWith } from '../operator/filters.ts'
import { Icon } from '../parts/icon.tsx'
import { VisibleText } from '../text/visible-text.tsx'

/** What an answer noted about the user. */
export function Remembers({ suggestions }: { suggestions: readonly Suggestion[] }) {
  return suggestions.map(({ content, proposed }) => (
    <p key={content} className="row conv-quiet">
      <Icon name="shorten" size={14} />
      <span>
        {proposed ? 'Would remember, if you keep it' : 'Remembered'}: <VisibleText text={content} spaces="prose" />{' '}
        <a href={hrefWith('memories')}>Memories</a>
      </span>
    </p>
  ))
}
