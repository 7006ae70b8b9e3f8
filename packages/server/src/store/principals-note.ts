// store/principals-note.ts: what is in the place of the principals file once the principals are in a store that several
// machines share: it says where, so that nothing changes or starts with a list that no service reads.

export function noteOf(place: string): string {
  return `${JSON.stringify({ kept_in: place }, null, 2)}\n`
}

/** Where the principals are; null if the text is no note. */
export function placeNotedIn(text: string): string | null {
  try {
    const place = JSON.parse(text)?.kept_in
    return typeof place === 'string' ? place : null
  } catch {
    return null
  }
}
