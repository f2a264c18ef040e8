import type { ICONS } from './icons.ts'

export type IconName = keyof typeof ICONS

/** Drawn with the colour of the text around it. */
export function Icon({ name, size = 16 }: { name: IconName; size?: number }) {
  return (
    <svg className="icon" width={size} height={size} aria-hidden="true" focusable="false">
      <use href={`#icon-${name}`} />
    </svg>
  )
}
