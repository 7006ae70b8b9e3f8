// views/monitor/key-name.ts: the name of the credential that gets a new key: that of the previous one with the next number.

export function nextKeyName(previous: string): string {
  const [, base = previous, number = '1'] = /^(.*?)(?:-(\d{1,6}))?$/.exec(previous) ?? []
  return `${base}-${Number(number) + 1}`
}
