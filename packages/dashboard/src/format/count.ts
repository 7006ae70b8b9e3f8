// format/count.ts: numbers as people read them. An unknown number is a dash, never a zero.
export const missing = '–'

const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })
const oneDigit = new Intl.NumberFormat('en', { maximumFractionDigits: 1 })
const byteUnits = ['B', 'KB', 'MB', 'GB', 'TB', 'PB'] as const

export function formatCount(value: number | null): string {
  return value === null ? missing : whole.format(value)
}

/** A rate or another measured number: small ones keep a digit. */
export function formatMeasure(value: number | null): string {
  if (value === null) return missing
  return Math.abs(value) >= 100 ? whole.format(value) : oneDigit.format(value)
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`
}

export function formatBytes(bytes: number | null): string {
  if (bytes === null) return missing
  let value = bytes
  let unit = 0
  while (value >= 999.5 && unit < byteUnits.length - 1) {
    value /= 1000
    unit++
  }
  const digits = unit === 0 || value >= 99.95 ? whole : oneDigit
  return `${digits.format(value)} ${byteUnits[unit]}`
}
