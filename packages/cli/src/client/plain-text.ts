// client/plain-text.ts: text of others on a terminal. Names and messages may hold control characters, which could move
// the cursor, or marks that turn the direction of writing; neither reaches the screen.

const unsafe = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+/gu

/** Joiners inside of emoji and of scripts that need them stay. */
export function plain(text: string): string {
  return text.replace(unsafe, (found) => (/^[\u200c\u200d]+$/.test(found) ? found : ' '))
}

/** JSON leaves more unescaped than is safe to look at; as escapes it is the same JSON. */
export function safeJson(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(
    /[\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g,
    escaped,
  )
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
