// client/plain-text.ts: makes foreign text safe for a terminal. Names and messages may contain control
// characters that move the cursor, or marks that change the writing direction; neither reaches the screen.

const unsafe = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+/gu

/** Keeps joiners within emoji and in scripts that need them. */
export function plain(text: string): string {
  return text.replace(unsafe, (found) => (/^[\u200c\u200d]+$/.test(found) ? found : ' '))
}

/** JSON leaves characters unescaped that are not safe to print; escaped, it is the same JSON. */
export function safeJson(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(
    /[\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g,
    escaped,
  )
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
