import { useState } from 'react'
import { ask } from '../../api/client.ts'
import { wordsOf } from '../../api/problem.ts'
import type { Page } from '../../api/shapes.ts'
import { Button } from '../../parts/button.tsx'
import { moment, roughly } from '../../parts/format.ts'
import { Icon, type IconName } from '../../parts/icon.tsx'
import { usePolled } from '../../state/polled.ts'
import { safeLink } from '../../text/safe-link.ts'
import { VisibleText } from '../../text/visible-text.tsx'
import { Listed, Nothing } from '../faces.tsx'
import type { McpServer, McpTool } from '../shapes.ts'

const LOOKS: Readonly<Record<McpServer['state'], readonly [IconName, string]>> = {
  ready: ['check', 'ok'],
  starting: ['clock', 'muted'],
  stopped: ['stop', 'muted'],
  failed: ['cross', 'danger'],
  'needs authorization': ['key', 'warn'],
}

/** How the servers of tools are that others wrote. */
export function Servers({ mayManage }: { mayManage: boolean }) {
  const list = usePolled<Page<McpServer>>('/api/mcp', 5000)
  return (
    <Listed
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
    </Listed>
  )
}

function ServerCard({ server, mayManage }: { server: McpServer; mayManage: boolean }) {
  const { name, transport, disabled, workspaceId, state, since, restarts, error, tools } = server
  const [icon, tone] = LOOKS[state]
  const usable = tools.filter((tool) => tool.state === 'pinned').length
  return (
    <li className="op-card">
      <h3>
        <VisibleText text={name} />
        <span className={`op-state ${tone}`}>
          <Icon name={icon} />
          {disabled ? 'turned off' : state}
        </span>
      </h3>
      <p className="muted op-facts">
        <span>{transport === 'stdio' ? 'a program on this machine' : 'over HTTP'}</span>
        {workspaceId !== undefined && (
          <span>
            workspace <VisibleText text={workspaceId} />
          </span>
        )}
        {since !== undefined && <span title={moment(since)}>for {roughly(Date.now() - Date.parse(since))}</span>}
        {restarts > 0 && <span>started again {restarts === 1 ? 'once' : `${restarts} times`}</span>}
      </p>
      {error !== undefined && (
        <p className={state === 'ready' ? 'muted' : 'danger'}>
          <VisibleText text={error} />
        </p>
      )}
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

const HELD: Readonly<Record<McpTool['state'], string>> = {
  pinned: '',
  quarantined: 'held back: its definition changed',
  refused: 'cannot be used',
  missing: 'gone: the server has it no more',
}

function ServerTool({ tool: { name, as, state, reason } }: { tool: McpTool }) {
  return (
    <li>
      <code>
        <VisibleText text={as || name} />
      </code>{' '}
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

/** The address is made when it is wanted; it leads to the server's own login. */
function Authorize({ server }: { server: string }) {
  const [url, setUrl] = useState('')
  const [error, setError] = useState('')
  const begin = (): void => {
    ask<{ url: string }>('POST', `/api/mcp/${encodeURIComponent(server)}/authorize`)
      .then((found) => {
        const link = safeLink(found.url)
        if (link) setUrl(link.href)
        else setError('The address it gave is not one that is safe to open.')
      })
      .catch((reason: unknown) => setError(wordsOf(reason)))
  }
  if (url === '')
    return (
      <p className="op-actions">
        <Button icon="key" onClick={begin}>
          Authorize
        </Button>
        {error !== '' && (
          <span role="alert">
            <VisibleText text={error} />
          </span>
        )}
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
