// notify/driver/colors.ts: the color of a notification as messages show it.
import type { Color } from '../driver.ts'

export const hexColors: Readonly<Record<Color, string>> = {
  red: '#c62828',
  yellow: '#f9a825',
  green: '#2e7d32',
  cyan: '#00838f',
  gray: '#757575',
}
