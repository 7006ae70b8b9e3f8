// platform/json/merge-patch.ts: JSON merge patch (RFC 7396): null removes, objects are merged, everything else replaces.
// Neither the target nor the patch is changed; parts that stay are shared with the result.
import { isJsonObject, type Json, ownValue } from './json.ts'

export function mergePatch(target: Json | undefined, patch: Json): Json {
  if (!isJsonObject(patch)) return patch
  const before = isJsonObject(target) ? target : {}
  const members = new Map(Object.entries(before))
  for (const [key, change] of Object.entries(patch)) {
    if (change === null) members.delete(key)
    else members.set(key, mergePatch(ownValue(before, key), change))
  }
  return Object.fromEntries(members)
}
