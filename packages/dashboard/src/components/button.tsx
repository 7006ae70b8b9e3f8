// components/button.tsx: a native button in two weights, and an icon button that is labelled with its name.
import type { ButtonHTMLAttributes } from 'react'
import styles from './button.module.css'

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly weight?: 'normal' | 'strong' | 'quiet'
}

export function Button({ weight = 'normal', className, ...rest }: ButtonProps) {
  return (
    <button type="button" className={`${styles.button} ${styles[weight]} ${className ?? ''}`} {...rest} />
  )
}

export interface IconButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly label: string
}

export function IconButton({ label, className, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      className={`${styles.button} ${styles.icon} ${className ?? ''}`}
      {...rest}
    />
  )
}
