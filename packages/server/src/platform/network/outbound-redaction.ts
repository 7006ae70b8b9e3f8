// platform/network/outbound-redaction.ts: the last net under what is said about an outbound call: takes every secret
// of its configuration out of a sentence, as it is and in the forms in which requests carry it. Drivers must not
// rely on it.

export function withoutSecrets(text: string, secrets: readonly string[]): string {
  const forms = secrets.filter((secret) => secret !== '').flatMap(formsOf)
  if (forms.length === 0) return text
  // All at once and the longest first: a secret may lie within another one, or within the word put in its place.
  const longestFirst = [...new Set(forms)].sort((a, b) => b.length - a.length)
  return text.replace(new RegExp(longestFirst.map(RegExp.escape).join('|'), 'g'), '[redacted]')
}

function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret)
  return [
    secret,
    encodeURIComponent(secret.toWellFormed()),
    bytes.toString('base64'),
    bytes.toString('base64url'),
  ]
}
