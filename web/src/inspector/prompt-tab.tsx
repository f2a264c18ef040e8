import type { RoundPicture } from '../log/round-picture.ts'
import { roundsIn } from '../log/session-log.ts'
import { Button } from '../parts/button.tsx'
import { useFollowed } from '../state/session.ts'
import { useStore } from '../state/store.ts'
import { inspected } from './inspected.ts'
import { PromptNow } from './prompt-now.tsx'
import { RoundChoice } from './round-choice.tsx'
import { PromptOfTurn } from './sent-prompt.tsx'

/** What the model would be sent now, or what it was sent in a turn of a round. */
export function PromptTab() {
  const { log } = useFollowed()
  const { requestId, turn } = useStore(inspected)
  const rounds = roundsIn(log)
  const round = rounds.find((one) => one.requestId === requestId) ?? rounds.at(-1)
  const turns = round ? turnsOf(round) : []
  const shown = turn === undefined ? undefined : (turns.find((one) => one === turn) ?? turns[0])
  return (
    <>
      <div className="row insp-switch" role="group" aria-label="Which prompt">
        <Switch isOn={turn === undefined} words="Now" turn={undefined} />
        <Switch isOn={turn !== undefined} words="As it was sent" turn={turns[0] ?? 1} />
      </div>
      {turn === undefined && <p className="insp-lead">What the model would be sent now, if you said something.</p>}
      {turn !== undefined && round && (
        <div className="column">
          <RoundChoice log={log} requestId={round.requestId} />
          <select
            className="input"
            aria-label="Choose the turn"
            value={shown}
            onChange={(event) => inspected.set({ ...inspected.get(), turn: Number(event.target.value) })}
          >
            {turns.map((one) => (
              <option key={one} value={one}>
                Turn {one} of this round
              </option>
            ))}
          </select>
        </div>
      )}
      {turn === undefined ? (
        <PromptNow />
      ) : round && shown !== undefined ? (
        <PromptOfTurn key={`${round.requestId} ${shown}`} requestId={round.requestId} turn={shown} />
      ) : (
        <p className="insp-note">Nothing was sent to a model here yet.</p>
      )}
    </>
  )
}

function Switch({ isOn, words, turn }: { isOn: boolean; words: string; turn: number | undefined }) {
  const choose = (): void => {
    const { turn: _, ...rest } = inspected.get()
    inspected.set({ ...rest, ...(turn !== undefined && { turn }) })
  }
  return (
    <Button kind="quiet" className="conv-toggle" aria-pressed={isOn} onClick={choose}>
      {words}
    </Button>
  )
}

/** Segno's own words are no turn of a model. */
const turnsOf = ({ steps }: RoundPicture): number[] =>
  steps.flatMap((step) => (step.kind === 'turn' && step.model !== '' ? [step.turn] : []))
