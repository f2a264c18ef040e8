import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react'
import { Icon, type IconName } from './icon.tsx'

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly kind?: 'plain' | 'primary' | 'danger' | 'quiet'
  readonly icon?: IconName
  readonly children?: ReactNode
  readonly ref?: Ref<HTMLButtonElement>
}

export function Button({ kind = 'plain', icon, children, className = '', ...rest }: ButtonProps) {
  return (
    <button type="button" className={`button ${kind} ${className}`} {...rest}>
      {icon && <Icon name={icon} />}
      {children}
    </button>
  )
}

/** A button that shows only a picture; `label` is what it does, in words. */
export function IconButton({
  label,
  icon,
  className = '',
  ...rest
}: Omit<ButtonProps, 'children' | 'icon'> & { label: string; icon: IconName }) {
  const { kind: _, ...attributes } = rest
  return (
    <button type="button" className={`icon-button ${className}`} aria-label={label} title={label} {...attributes}>
      <Icon name={icon} />
    </button>
  )
}
