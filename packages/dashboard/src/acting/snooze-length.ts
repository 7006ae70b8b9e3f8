// acting/snooze-length.ts: how long a snooze lasts. The service counts from its own clock, so every choice
// becomes a length. "Tomorrow at 9:00" is also counted from the service's time, in the zone of the reader, so
// a wrong browser clock does no harm.
import { v2 } from '@pulseward/contract'

export const snoozeChoices = [
  { value: '1h', words: '1 hour' },
  { value: '8h', words: '8 hours' },
  { value: 'tomorrow', words: 'Until tomorrow, 9:00' },
  { value: 'custom', words: 'Another length' },
] as const

export type SnoozeChoice = (typeof snoozeChoices)[number]['value']

export const customUnits = [
  { value: 'm', words: 'minutes', ms: 60_000 },
  { value: 'h', words: 'hours', ms: 3_600_000 },
  { value: 'd', words: 'days', ms: 86_400_000 },
] as const

export type CustomUnit = (typeof customUnits)[number]['value']

export interface ChosenLength {
  readonly choice: SnoozeChoice
  readonly amount: string
  readonly unit: CustomUnit
}

const longestMs = v2.limits.snoozeHours * 3_600_000

/** Milliseconds; null while the input is not a length that the service accepts. */
export function snoozeMs({ choice, amount, unit }: ChosenLength, serviceNowMs: number): number | null {
  if (choice === '1h') return 3_600_000
  if (choice === '8h') return 8 * 3_600_000
  if (choice === 'tomorrow') return tomorrowAtNineMs(serviceNowMs) - serviceNowMs
  if (!/^\d{1,6}$/.test(amount.trim())) return null
  const unitMs = customUnits.find(({ value }) => value === unit)?.ms ?? 0
  const ms = Number(amount) * unitMs
  return ms > 0 && ms <= longestMs ? ms : null
}

/** The form on the wire: whole seconds, at least one. */
export function durationText(ms: number): string {
  return `${Math.max(1, Math.round(ms / 1000))}s`
}

function tomorrowAtNineMs(nowMs: number): number {
  const now = new Date(nowMs)
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1, 9).getTime()
}
