// platform/json-schema/multiple-of.ts: whether one number is a multiple of another in decimal: 0.3 is three
// times 0.1, although their binary fractions are not.

export function isMultipleOf(value: number, divisor: number): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(divisor)) return value % divisor === 0
  const [dividend, part] = [decimalOf(value), decimalOf(divisor)]
  const exponent = Math.min(dividend.exponent, part.exponent)
  return scaled(dividend, exponent) % scaled(part, exponent) === 0n
}

interface Decimal {
  readonly digits: bigint
  readonly exponent: number
}

/** The shortest decimal that represents the number. */
function decimalOf(value: number): Decimal {
  const [mantissa = '0', power = '0'] = value.toExponential().split('e')
  const [whole = '0', fraction = ''] = mantissa.split('.')
  return { digits: BigInt(`${whole}${fraction}`), exponent: Number(power) - fraction.length }
}

function scaled({ digits, exponent }: Decimal, to: number): bigint {
  return digits * 10n ** BigInt(exponent - to)
}
