import type { ServerStatus, ToolStatus } from '../../../../src/contract/mcp.ts'
import { useState } from 'react'
import type { Page, Wire } from '../../../../src/client/index.ts'
import { client } from '../../api/client.ts'
import { Problem, useAttempt } from '../../parts/attempt.tsx'
import { Button } from '../../parts/button.tsx'
import { moment, roughly } from '../../parts/format.ts'
import type { IconName } from '../../parts/icon.tsx'
import { usePolled } from '../../state/polled.ts'
import { safeLink } from '../../text/safe-link.ts'
import { VisibleText } from '../../text/visible-text.tsx'
import { PolledList, Nothing } from '../list-states.tsx'
import { State } from '../parts.tsx'

const LOOKS: Readonly<Record<Wire<ServerStatus>['state'], readonly [IconName, string]>> = {
  ready: ['check', 'ok'],
  starting: ['clock', 'muted'],
  stopped: ['stop', 'muted'],
  failed: ['cross', 'danger'],
  'needs authorization': ['key', 'warn'],
}

/** The MCP servers and their state. */
export function Servers({ mayManage }: { mayManage: boolean }) {
  const list = usePolled<Page<Wire<ServerStatus>>>('/api/mcp', 5000)
  return (
    <PolledList
      list={list}
      empty={
        <Nothing icon="link">
          None are set up. Name them in <code>SEGNO_MCP</code> to use tools that others wrote.
        </Nothing>
      }
    >
      {(items) => (
        <ul className="op-cards op-columns">
          {items.map((server) => (
            <ServerCard key={`${server.name} ${server.workspaceId ?? ''}`} server={server} mayManage={mayManage} />
          ))}
        </ul>
      )}
    </PolledList>
  )
}

function ServerCard({ server, mayManage }: { server: Wire<ServerStatus>; mayManage: boolean }) {
  const { name, transport, disabled, workspaceId, state, since, restarts, error, tools } = server
  const [icon, tone] = LOOKS[state]
  const usable = tools.filter((tool) => tool.state === 'pinned').length
  return (
    <li className="op-card">
      <h3>
        <VisibleText text={name} />
        <State icon={icon} tone={tone}>
          {disabled ? 'turned off' : state}
        </State>
      </h3>
      <p className="muted op-facts row wrap">
        <span>{transport === 'stdio' ? 'a program on this machine' : 'over HTTP'}</span>
        {workspaceId !== undefined && (
          <span>
            workspace <VisibleText text={workspaceId} />
          </span>
        )}
        {since !== undefined && <span title={moment(since)}>for {roughly(Date.now() - Date.parse(since))}</span>}
        {restarts > 0 && <span>started again {restarts === 1 ? 'once' : `${restarts} times`}</span>}
      </p>
      {error !== undefined && <VisibleText as="p" className={state === 'ready' ? 'muted' : 'danger'} text={error} />}
      {state === 'needs authorization' && mayManage && <Authorize server={name} />}
      {tools.length > 0 && (
        <details>
          <summary>
            {usable} {usable === 1 ? 'tool' : 'tools'}
            {usable < tools.length && `, ${tools.length - usable} held back`}
          </summary>
          <ul className="op-servertools">
            {tools.map((tool) => (
              <ServerTool key={tool.name} tool={tool} />
            ))}
          </ul>
        </details>
      )}
    </li>
  )
}

const HELD: Readonly<Record<ToolStatus['state'], string>> = {
  pinned: '',
  quarantined: 'held back: its definition changed',
  refused: 'cannot be used',
  missing: 'gone: the server has it no more',
}

function ServerTool({ tool: { name, as, state, reason } }: { tool: ToolStatus }) {
  return (
    <li>
      <VisibleText as="code" text={as || name} />{' '}
      {state !== 'pinned' && (
        <span className="warn">
          {HELD[state]}
          {reason !== undefined && (
            <>
              {' '}
              (<VisibleText text={reason} />)
            </>
          )}
        </span>
      )}
    </li>
  )
}

/** Asks for the address of the server's own login when it is clicked. */
function Authorize({ server }: { server: string }) {
  const [url, setUrl] = useState('')
  const [problem, attempt, setProblem] = useAttempt()
  const begin = async (): Promise<void> => {
    const found = await client.requestJson<{ url: string }>('POST', `/api/mcp/${encodeURIComponent(server)}/authorize`)
    const link = safeLink(found.url)
    if (link) setUrl(link.href)
    else setProblem('The address it gave is not one that is safe to open.')
  }
  if (url === '')
    return (
      <p className="op-actions row wrap">
        <Button icon="key" onClick={() => void attempt(begin())}>
          Authorize
        </Button>
        <Problem text={problem} />
      </p>
    )
  return (
    <p>
      Log in there, then this page shows it as ready:{' '}
      <a href={url} target="_blank" rel="noopener noreferrer" className="op-break">
        <VisibleText text={url} />
      </a>
    </p>
  )
}
