import type { Session } from '../../../src/client/index.ts'
import type { MenuEntry } from '../parts/menu.tsx'
import { changeSession, exportSession } from './session-actions.ts'

/** What can be done with a conversation from a menu; `attempt` tells what did not work. */
export function sessionMenu(session: Session, attempt: (work: Promise<unknown>) => unknown): MenuEntry[] {
  const { id, archived } = session
  return [
    {
      label: archived ? 'Bring back' : 'Archive',
      icon: 'archive',
      run: () => attempt(changeSession(id, { archived: !archived })),
    },
    { label: 'Export as Markdown', icon: 'download', run: () => attempt(exportSession(session, 'markdown')) },
    { label: 'Export as JSON lines', icon: 'download', run: () => attempt(exportSession(session, 'jsonl')) },
  ]
}
