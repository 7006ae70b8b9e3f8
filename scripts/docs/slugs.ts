// scripts/docs/slugs.ts: the anchors of headings, made as the code host makes them.

/** Each call gives the anchor of the next heading of one document; equal headings are numbered. */
export function slugger(): (text: string) => string {
  const taken = new Map<string, number>()
  return (text) => {
    const slug = text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M}\s_-]/gu, '')
      .trim()
      .replace(/\s/g, '-')
    const before = taken.get(slug) ?? 0
    taken.set(slug, before + 1)
    return before === 0 ? slug : `${slug}-${before}`
  }
}
