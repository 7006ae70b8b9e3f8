// components/percent.tsx: a percentage; the unrounded figure is shown on hover.
import { formatPercent, percentInFull } from '../format/percent.ts'

export interface PercentProps {
  readonly percent: number | null
  readonly fractionDigits?: 0 | 1 | 2 | 3
}

export function Percent({ percent, fractionDigits = 2 }: PercentProps) {
  return <span title={percentInFull(percent)}>{formatPercent(percent, fractionDigits)}</span>
}
