import type { RoundPicture } from '../log/round-picture.ts'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { createStore, useStore } from '../state/store.ts'
import { asksIn } from './round-words.ts'

/** What is done once somebody has said that they mean it. */
const question = createStore<{ readonly waiting: number; readonly go: () => void } | undefined>(undefined)

/** Stops something, after a question if calls wait for a decision. */
export function whenSure(round: RoundPicture | undefined, go: () => void): void {
  const waiting = round ? asksIn(round).length : 0
  if (waiting === 0) go()
  else question.set({ waiting, go })
}

export function StopDialog() {
  const asked = useStore(question)
  if (!asked) return null
  const { waiting, go } = asked
  const close = (): void => question.set(undefined)
  const [calls, them] = waiting === 1 ? ['1 call waits', 'it'] : [`${waiting} calls wait`, 'any of them']
  return (
    <Dialog title={`${calls} for you`} onClose={close}>
      <p>If you stop now, Segno will not do {them}, and this answer ends here.</p>
      <div className="row wrap">
        <Button onClick={close}>Keep waiting</Button>
        <Button
          kind="danger"
          icon="stop"
          onClick={() => {
            close()
            go()
          }}
        >
          Stop
        </Button>
      </div>
    </Dialog>
  )
}
