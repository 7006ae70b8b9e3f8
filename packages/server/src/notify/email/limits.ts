// notify/email/limits.ts: how long the parts of a mail may be. Separate from compose.ts, so that reading a limit does
// not load the library.

/** RFC 5322 recommends lines of 78 characters; people do not read a subject longer than a few of them. */
export const mailLimits = { subject: 200 }
