/** Values between two gaps: a line does not show them, so they are drawn as points. */
export function loneValues(values: ArrayLike<number | null | undefined>): number[] {
  const lone: number[] = []
  for (let index = 0; index < values.length; index++) {
    const isAlone = values[index - 1] == null && values[index + 1] == null
    if (values[index] != null && isAlone) lone.push(index)
  }
  return lone
}
