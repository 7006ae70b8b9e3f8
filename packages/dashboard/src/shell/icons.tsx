// shell/icons.tsx: the icons of the bar. Decoration: their buttons have the words.
import type { ReactNode } from 'react'

export function Mark() {
  return (
    <svg width="22" height="22" viewBox="0 0 22 22" fill="none" aria-hidden="true">
      <path
        d="M2 12h4l2.4-7 4.4 13 2.6-6H20"
        stroke="var(--accent)"
        strokeWidth="2.2"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  )
}

export const PauseIcon = () => <Icon>{<path d="M6.5 4.5v9M11.5 4.5v9" />}</Icon>
export const ResumeIcon = () => <Icon>{<path d="M6 4.2v9.6L13.5 9Z" />}</Icon>
export const SearchIcon = () => (
  <Icon>
    <circle cx="8" cy="8" r="4.8" />
    <path d="m11.6 11.6 3.6 3.6" />
  </Icon>
)
export const MoreIcon = () => <Icon>{<path d="M3.6 9h.8M8.6 9h.8M13.6 9h.8" />}</Icon>
export const PersonIcon = () => (
  <Icon>
    <circle cx="9" cy="6.2" r="2.9" />
    <path d="M3.4 15.2a5.6 5.6 0 0 1 11.2 0" />
  </Icon>
)
export const MoonIcon = () => <Icon>{<path d="M15 10.8A6.5 6.5 0 0 1 7.2 3a6.5 6.5 0 1 0 7.8 7.8Z" />}</Icon>
export const SunIcon = () => (
  <Icon>
    <circle cx="9" cy="9" r="3.2" />
    <path d="M9 1.8v1.7M9 14.5v1.7M1.8 9h1.7M14.5 9h1.7M3.9 3.9l1.2 1.2M12.9 12.9l1.2 1.2M3.9 14.1l1.2-1.2M12.9 5.1l1.2-1.2" />
  </Icon>
)

function Icon({ children }: { readonly children: ReactNode }) {
  return (
    <svg
      width="18"
      height="18"
      viewBox="0 0 18 18"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {children}
    </svg>
  )
}
