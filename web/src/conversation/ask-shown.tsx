import { Fragment } from 'react'
import type { CommandShown, FieldsShown, FileShown, Shown } from '../../../src/contract/shown.ts'
import { Fold } from '../parts/fold-button.tsx'
import { oneLine } from '../parts/format.ts'
import { Icon } from '../parts/icon.tsx'
import { UnifiedDiff } from '../parts/unified-diff.tsx'
import { VisibleText } from '../text/visible-text.tsx'
import { visibleText } from '../text/visible.ts'
import { AskBox } from './ask-box.tsx'

/** What a call would do, as people read it; its exact arguments unfold below. */
export function AskShown({ tool, shown, args }: { tool: string; shown: Shown; args: string }) {
  return (
    <>
      {shown.kind === 'file' ? (
        <ShownFile {...shown} />
      ) : shown.kind === 'command' ? (
        <ShownCommand {...shown} />
      ) : (
        <ShownFields tool={tool} rows={shown.rows} />
      )}
      {shown.note !== undefined && (
        <p className="row">
          <Icon name="warn" /> <VisibleText text={shown.note} />
        </p>
      )}
      <Folded words="Exact arguments" label={`Arguments of ${tool}`} text={args} />
    </>
  )
}

function ShownFile({ path, text, diff, note }: FileShown) {
  return (
    <>
      <p className="conv-ask-target">
        <VisibleText text={path} />
        {diff === undefined && note === undefined && <span className="conv-ask-hint muted"> (new file)</span>}
      </p>
      {diff === undefined ? (
        <AskBox label={`Text of ${visibleText(path)}`}>
          <VisibleText text={text} />
        </AskBox>
      ) : (
        <>
          {diff !== '' && (
            <>
              <AskBox label={`Changes to ${visibleText(path)}`}>
                <UnifiedDiff diff={diff} />
              </AskBox>
              <p className="conv-ask-hint muted">Compared with what was there when this was asked.</p>
            </>
          )}
          <Folded words="Whole text" label={`Text of ${visibleText(path)}`} text={text} />
        </>
      )}
    </>
  )
}

function ShownCommand({ text, dangers }: Pick<CommandShown, 'text' | 'dangers'>) {
  return (
    <>
      <AskBox label="Command">
        {dangers.map(({ from, to }, at) => (
          <Fragment key={from}>
            <VisibleText text={text.slice(dangers[at - 1]?.to ?? 0, from)} />
            <VisibleText as="mark" className="conv-danger" text={text.slice(from, to)} />
          </Fragment>
        ))}
        <VisibleText text={text.slice(dangers.at(-1)?.to ?? 0)} />
      </AskBox>
      {dangers.length > 0 && (
        <ul className="conv-dangers plain-list" aria-label="What is dangerous in it">
          {dangers.map(({ from, to, why }) => (
            <li key={from} className="row">
              <Icon name="warn" />
              <span>
                <VisibleText as="code" text={oneLine(text.slice(from, to))} /> <VisibleText text={why} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

function ShownFields({ tool, rows }: { tool: string; rows: FieldsShown['rows'] }) {
  if (rows.length === 0) return <p className="muted">Without arguments.</p>
  return (
    <AskBox label={`What ${tool} is given`}>
      <table className="conv-fields">
        <tbody>
          {rows.map(({ name, value }, at) => (
            <tr key={at}>
              <th scope="row">
                <VisibleText text={name} />
              </th>
              <VisibleText as="td" text={value} />
            </tr>
          ))}
        </tbody>
      </table>
    </AskBox>
  )
}

function Folded({ words, label, text }: { words: string; label: string; text: string }) {
  return (
    <Fold head={words}>
      <AskBox label={label}>
        <VisibleText text={text} />
      </AskBox>
    </Fold>
  )
}
