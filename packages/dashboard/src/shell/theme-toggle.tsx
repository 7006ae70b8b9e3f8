// shell/theme-toggle.tsx: switches to the appearance that is not seen now. Settings has the way back to System.
import { IconButton } from '../components/button.tsx'
import { chooseAppearance, useIsDark } from '../theme/appearance.ts'
import { MoonIcon, SunIcon } from './icons.tsx'

export function ThemeToggle() {
  const isDark = useIsDark()
  return (
    <IconButton
      label={isDark ? 'Switch to light' : 'Switch to dark'}
      onClick={() => chooseAppearance(isDark ? 'light' : 'dark')}
    >
      {isDark ? <SunIcon /> : <MoonIcon />}
    </IconButton>
  )
}
