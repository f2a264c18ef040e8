import { dictsOf, isDict, textOf, type Dict } from '../values.ts'
import { blocksOf } from './anthropic-messages.ts'

const MOST = 4

export function cacheFaults(body: Dict): string[] {
  const marked = [
    ...dictsOf(body['tools']),
    ...dictsOf(body['system']),
    ...dictsOf(body['messages']).flatMap((message) =>
      blocksOf(message).flatMap((block) => [block, ...dictsOf(block['content'])]),
    ),
    ...(body['cache_control'] === undefined ? [] : [body]),
  ].filter((block) => block['cache_control'] !== undefined)
  return [
    ...(marked.length > MOST
      ? [`A maximum of ${MOST} blocks with cache_control may be provided. Found ${marked.length}.`]
      : []),
    ...marked.flatMap(({ type, text, cache_control: control }) => [
      ...(type === 'text' && textOf(text) === '' ? ['cache_control cannot be set for empty text blocks'] : []),
      ...(isDict(control) && control['type'] === 'ephemeral'
        ? []
        : ["cache_control.type: Input tag does not match any of the expected tags: 'ephemeral'"]),
    ]),
  ]
}
