// words/codes.ts: what the colors of notifications say, the most important first.
import { type Code, codes } from '@pulseward/contract'

export const codeWords: Readonly<Record<Code, string>> = {
  red: 'Outage',
  yellow: 'Warning',
  cyan: 'Recovery accepted',
  green: 'Recovered',
  gray: 'Maintenance',
}

export const codeOrder: readonly Code[] = codes
