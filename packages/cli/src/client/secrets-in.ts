// client/secrets-in.ts: the secrets in a resource or a patch, so that nothing prints them.

export function secretsIn(kind: string, body: unknown): string[] {
  if (kind !== 'Credential') return []
  const { spec } = (body ?? {}) as { spec?: { value?: unknown } | null }
  return typeof spec?.value === 'string' ? [spec.value] : []
}
