// projection/v2/known-fields.ts: v2 omits a field that is unknown or absent, where v1 says null.
export type KnownFields<Fields> = { [Key in keyof Fields]?: NonNullable<Fields[Key]> }

export function knownFields<Fields extends object>(fields: Fields): KnownFields<Fields> {
  const known = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined)
  return Object.fromEntries(known) as KnownFields<Fields>
}
