import type { UnknownCallView } from '../../contract/views.ts'

export interface UnknownCallRow extends Omit<UnknownCallView, 'reconciled'> {
  place: number
  reconciled: number | null
}

export const unknownCallView = ({ place: _, reconciled, ...row }: UnknownCallRow): UnknownCallView => ({
  ...row,
  ...(reconciled !== null && { reconciled: reconciled === 1 }),
})
