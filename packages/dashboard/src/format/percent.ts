// format/percent.ts: percentages. Never rounded up to 100 or down to 0: one failure in a million checks must be visible.
import { missing } from './count.ts'

const digits = (count: number) =>
  new Intl.NumberFormat('en', { minimumFractionDigits: count, maximumFractionDigits: count })
const byDigits = [0, 1, 2, 3].map(digits)

export function formatPercent(percent: number | null, fractionDigits: 0 | 1 | 2 | 3 = 2): string {
  if (percent === null) return missing
  if (percent === 0 || percent === 100) return `${percent} %`
  const step = 10 ** -fractionDigits
  if (percent > 100 - step / 2) return `> ${byDigits[fractionDigits]!.format(100 - step)} %`
  if (percent < step / 2) return `< ${byDigits[fractionDigits]!.format(step)} %`
  return `${byDigits[fractionDigits]!.format(percent)} %`
}

/** Unrounded, for hover. */
export function percentInFull(percent: number | null): string {
  return percent === null ? 'Nothing was measured yet' : `${percent} %`
}
