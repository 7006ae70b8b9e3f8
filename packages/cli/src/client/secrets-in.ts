// client/secrets-in.ts: the secrets that a resource or a patch carries, so that nothing repeats them on a screen.

export function secretsIn(kind: string, body: unknown): string[] {
  if (kind !== 'Credential') return []
  const { spec } = (body ?? {}) as { spec?: { value?: unknown } | null }
  return typeof spec?.value === 'string' ? [spec.value] : []
}
